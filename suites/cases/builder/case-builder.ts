import { once, oncePer } from '../../../spec/once.ts';
import { type Protocol, protocols, type TextProtocol, textProtocols } from '../../../spec/vocabulary.ts';
import type { Check, CheckOf } from '../../types/checks/check.ts';
import type { Case } from '../../types/case.ts';
import type { Caller } from '../../types/plan.ts';
import { type SuiteName, suiteNames } from '../../types/suite-names.ts';
import { type Depth, mostExplored } from '../../types/profile.ts';
import type { SameModel, Scope } from '../../types/scope.ts';
import { planImageRows } from '../combinations/image-rows.ts';
import { exploredNonces, planExplored, type PlannedRows, planRows } from '../combinations/row-requests.ts';
import { modelCallers, noCaller, contradictedCallers } from './callers.ts';
import { createRequestBuilder, isSmoke } from './request-builder.ts';
import { sharedRequests } from './shared-requests.ts';

/** What is observed, and called as its subject where it has no title. */
export interface Observation
  extends Pick<CheckOf<'observe'>, 'requirement' | 'subject' | 'aspect' | 'protocol'> {
  readonly id: string;
  readonly title?: string;
  /** A caller of the protocol where left out. */
  readonly needs?: Needs;
  /** Plans the requests that show it, and gives their ids. */
  readonly probes: () => readonly string[];
  /** What the probe is held against, where its reply alone does not show the aspect. */
  readonly against?: () => Pick<CheckOf<'observe'>, 'limit' | 'control'>;
}

/** Adds the case of what the interface does not say: it is observed and never failed. */
export function addObservation(
  builder: CaseBuilder,
  { id, title, needs, requirement, subject, aspect, protocol, probes, against }: Observation,
): void {
  builder.add({
    id,
    title: title ?? subject,
    requirement,
    needs: needs === undefined ? protocol : needs,
    check: () => ({ kind: 'observe', subject, aspect, protocol, probes: probes(), ...against?.() }),
  });
}

/** What the target must declare for a case: a caller of a protocol, or nothing (null); or why it can't be judged. */
export type Needs = Protocol | Undeclared | Contradicted | null;

/** What a case needs and the target does not declare, in words. */
export interface Undeclared {
  readonly undeclared: string;
}

/** The same model name in two families, which keeps a case from being judged. */
export interface Contradicted {
  readonly sameModel: SameModel;
}

/** A case but for its check; its suite is the first part of its id. */
export type NewCase = Omit<Case, 'check' | 'suite' | 'requirements'> & {
  /** Where left out, a caller of the protocol that is the second part of its id; nothing where none is. */
  readonly needs?: Needs;
};

/** A case with its check; of one requirement it may leave out in the check which. */
type Judged = NewCase &
  (
    | { readonly requirements: readonly string[]; readonly check: () => Check }
    | { readonly requirement: string; readonly check: () => CheckOfOne }
  );

export type CaseBuilder = ReturnType<typeof createCaseBuilder>;

/** The most streams that the models behind the first of each family are asked for, each with a nonce. */
const noncesOfModels = ({ further = [] }: Scope): number => textProtocols.length * further.length;

/** In `smoke` nothing is combined. */
const noRows: PlannedRows = { rows: [], inline: [] };

type CheckOfOne<Of = Extract<Check, { readonly requirement: string }>> = Of extends unknown
  ? Omit<Of, 'requirement'>
  : never;

function suiteOf(id: string): SuiteName {
  const suite = suiteNames.find((name) => id.startsWith(`${name}.`));
  if (suite === undefined) throw new Error(`the case ${id} is of no suite`);
  return suite;
}

const protocolIn = (id: string) => protocols.find((protocol) => protocol === id.split('.')[1]) ?? null;

function inFull(entry: Judged): Extract<Judged, { readonly requirements: unknown }> {
  if ('requirements' in entry) return entry;
  const { requirement, check, ...more } = entry;
  const ofRequirement = (): Check => {
    const { kind, ...rest } = check();
    return { kind, requirement, ...rest } as Check;
  };
  return { requirements: [requirement], ...more, check: ofRequirement };
}

/** Collects the requests and cases of a plan. Pure but for what it collects. */
export function createCaseBuilder(scope: Scope, seed: number, depth: Depth) {
  const { explore = 0, extension } = depth;
  // What an extension adds makes the covering arrays longer.
  const combined = explore + (extension ? mostExplored : 0);
  const nonces = exploredNonces(combined) + noncesOfModels(scope);
  const requests = createRequestBuilder(scope, seed, depth, nonces);
  const cases = new Map<string, Case>();
  const refused = new Map<string, string[]>();
  const { callers } = requests;
  const contradicted = oncePer((protocol: Protocol) =>
    contradictedCallers(scope, protocol, callers(protocol)),
  );
  const smoke = isSmoke(depth);
  /** The covering array of a text protocol, planned when it is first asked for. */
  const rows = oncePer((protocol: TextProtocol) => (smoke ? noRows : planRows(requests, protocol)));

  /**
   * Adds a case. Where the target does not declare what it needs, it is untested and plans no request.
   * Throws where the id is taken, or begins with no suite.
   */
  const add = (entry: Judged): void => {
    const { id, title, needs = protocolIn(id), check, ...more } = inFull(entry);
    if (cases.has(id)) throw new Error(`two cases are called ${id}`);
    const protocol = typeof needs === 'string' ? needs : more.cell?.protocol;
    const { model } = more;
    const own = model ? (each: Protocol) => modelCallers(scope, model, each) : callers;
    const unlessRefused =
      protocol && (model ? contradictedCallers(scope, protocol, own(protocol)) : contradicted(protocol));
    const made = openCheck(needs, own) ?? check();
    cases.set(id, {
      id,
      title,
      suite: suiteOf(id),
      ...more,
      check: made,
      ...(unlessRefused ? { unlessRefused } : {}),
    });
    if (made.kind !== 'refused') return;
    const { requirement, probe } = made;
    refused.set(requirement, [...(refused.get(requirement) ?? []), probe]);
  };
  return {
    ...requests,
    ...sharedRequests(requests, rows),
    get cases(): readonly Case[] {
      return [...cases.values()];
    },
    refusedFor: (requirement: string): readonly string[] => refused.get(requirement) ?? [],
    rows,
    /** The random combinations beyond the covering array, planned when they are first asked for. */
    explored: oncePer((protocol: TextProtocol) =>
      smoke ? [] : planExplored(requests, protocol, rows(protocol)),
    ),
    imageRows: once(() => (smoke ? [] : planImageRows(requests))),
    add,
  };
}

/** The check of a case that can't be judged; undefined where the target declares what it needs. */
function openCheck(needs: Needs, callers: (protocol: Protocol) => readonly Caller[]): Check | undefined {
  if (needs === null) return undefined;
  if (typeof needs === 'string')
    return callers(needs).length === 0 ? { kind: 'undeclared', reason: noCaller(needs) } : undefined;
  return 'sameModel' in needs
    ? { kind: 'same-model', families: needs.sameModel }
    : { kind: 'undeclared', reason: needs.undeclared };
}
