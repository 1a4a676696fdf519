import { oncePer } from './once.ts';
import type { Facts, Thing, Where } from './templates.ts';
import { yamlDocument } from './yaml-document.ts';

/** The suites whose probes are rows: spec/probes/NAME.yaml. */
export const probeSuites = ['parameters', 'authentication', 'streams', 'errors', 'observations'] as const;
export type ProbeSuite = (typeof probeSuites)[number];

type Expected = 'refused' | 'accepted' | 'optional' | 'observed';

/** The one difference from the control. */
interface Change {
  /** Parameters that are given in place of, or beside, those of the plain request. */
  readonly set?: Facts;
  /** A parameter that is left out. */
  readonly without?: string;
  readonly body?: unknown;
  readonly damage?: string;
  readonly method?: string;
  readonly contentType?: string;
  readonly credential?: unknown;
  readonly version?: unknown;
}

/** Where a credential is shown besides the plain request, or instead: `everywhere` in situations that together have all there is. */
export type Shown = 'shortest' | 'situation' | 'streamed' | 'everywhere' | 'every row';

/** A value that a probe is repeated for; all of it are facts. */
export interface ProbeValue extends Facts {
  /** What it is called in ids; where left out, made from the value. */
  readonly as?: string;
  /** In words; where left out, the value as JSON. */
  readonly is?: string;
  readonly value?: unknown;
  readonly where?: Where;
  /** Name of a plainer value: where that one is answered, this one shows no more. */
  readonly after?: string;
  /** Of a credential: in which requests; and whether it may be taken for an invalid token. */
  readonly shown?: readonly Shown[];
  readonly asInvalid?: boolean;
  /** Of a credential: nothing of its shape tells it from an issued token, so that the reply is that to an invalid one. */
  readonly looksIssued?: boolean;
  /** Sent even where no valid request is answered. */
  readonly always?: boolean;
}

/** So many situations for each value beside the plain request; or one for each: for the first ones beside it, for the others instead. */
type Situations = { readonly each: number; readonly from?: number } | { readonly spread: number };

/** One row of spec/probes/; every text may have facts in it. */
export interface Probe {
  readonly requirement: string;
  readonly where?: Where;
  readonly values?: string | readonly ProbeValue[];
  readonly expect: Expected;
  /** Of the request; of the case, where none is sent. */
  readonly id: string;
  /** Of the case behind its suite; the id of the request where left out. */
  readonly case?: string;
  /** Of an observation; its subject where left out. */
  readonly title?: string;
  /** What is asked, behind "refuses", "accepts" or "given"; of an observation all of it may be given as `subject`. */
  readonly what?: string;
  readonly subject?: string;
  /** What of the contract is broken; `what`, where left out. */
  readonly rule?: string;
  readonly change?: Change;
  /** Name of a control of suites/cases/probes/controls.ts; the plain request where left out. */
  readonly control?: string;
  readonly situations?: Situations;
  /** Rows of the covering array that show the same: of the value where left out. */
  readonly rows?: 'any value' | { readonly factor: string };
  /** Id of a request: where that one is answered, this one shows no more. */
  readonly unless?: string;
  /** Id of a request that has to be answered. */
  readonly waits?: string;
  /** What is observed, and of which requests; of the control where nothing is changed and none is named. */
  readonly aspect?: string;
  readonly of?: string | readonly string[];
  readonly billed?: number | string;
}

export interface ProbeGroup {
  readonly each: Thing;
  readonly probes: readonly Probe[];
}

/** A probe as the file has it: what it has in common with others stands above them. */
type Written = Partial<Omit<Probe, 'change'>> & { readonly change?: Change | 'none' };

interface WrittenGroup {
  readonly each: Thing;
  readonly common?: Written;
  readonly probes: readonly Written[];
}

function whole(common: Written, probe: Written): Probe {
  const { change, ...others } = { ...common, ...probe };
  return { ...others, ...(change === undefined || change === 'none' ? {} : { change }) } as Probe;
}

export const probesOf: (suite: ProbeSuite) => readonly ProbeGroup[] = oncePer((suite: ProbeSuite) => {
  const groups = yamlDocument(`spec/probes/${suite}.yaml`) as readonly WrittenGroup[];
  return groups.map(({ each, common = {}, probes }) => ({
    each,
    probes: probes.map((probe) => whole(common, probe)),
  }));
});
