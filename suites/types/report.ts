import type { PinKind } from '../../fixtures/pins/pins.ts';
import type { CatalogueEntry, Label, Reading } from '../../spec/catalogue.ts';
import type { Expectation } from '../../spec/matrix.ts';
import type { Place } from '../../spec/extension.ts';
import type { SuiteInfo } from '../../spec/suite-info.ts';
import type { Family, Impact, Level, Protocol } from '../../spec/vocabulary.ts';
import type { Case, ModelCell } from './case.ts';
import type { ReportCause } from './cause.ts';
import type { ReportDeclared } from './declared.ts';
import type { Scope } from './scope.ts';
import type { ReportedDepth } from './profile.ts';
import type { TrafficCounts } from './traffic.ts';
import type { InteropClient } from './interop.ts';
import type { Exchange } from './exchange.ts';

/** Verdicts of a requirement and of a case (design principle 3). */
export type Verdict = 'pass' | 'fail' | 'inconclusive' | 'untested' | 'observed' | 'conflict';

/** Why an inconclusive verdict does not gate: it depends on the model, or was too fast to time. */
export type NonGating = 'model-behaviour' | 'too-fast';

/** What a case says of one requirement where it is not a pass. */
export interface ReportFinding {
  readonly requirement: string;
  /** The model that it is about; absent where that is the first of its family. */
  readonly model?: string;
  readonly verdict: 'fail' | 'inconclusive' | 'untested';
  /** The exchange that shows it. */
  readonly exchange?: string;
  /** Where in its reply: a JSON Pointer, or `event N` with a pointer behind it for a stream. */
  readonly pointer?: string;
  /** The kind of its reason: stable, where the message is for people. Absent in reports of earlier versions. */
  readonly code?: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** Of a failure that not every reply shows: how many do, and in words what tells these from the others, where anything does. */
  readonly replies?: { readonly failed: number; readonly of: number; readonly condition?: string };
  readonly nonGating?: NonGating;
}

interface FailedRun {
  /** From 1. */
  readonly run: number;
  readonly seed: number;
  /** What shows it, by the ids that a report of several runs has. The report holds them of the first such runs only. */
  readonly exchanges: readonly string[];
}

/** How often a requirement failed where it was judged several times. */
export interface RequirementRuns {
  /** In how many runs it passed, failed or could not be decided. */
  readonly judged: number;
  readonly failed: number;
  readonly inconclusive: number;
  readonly failures: readonly FailedRun[];
}

export interface ReportRequirement {
  readonly id: string;
  readonly sections: readonly string[];
  readonly level: Level;
  /** Of stated and derived requirements; absent in reports of earlier versions. */
  readonly impact?: Impact;
  readonly statement: string;
  /** The reading held where the text can be read in two ways. */
  readonly reading?: string;
  /** The version of the statements from which on it stands as it does; absent for the first. */
  readonly since?: number;
  /** Where an extension states it. */
  readonly place?: Place;
  /** What was found of a row that does not count yet, or that the suite knows to judge wrongly: its verdict is `observed`. */
  readonly provisional?: 'pass' | 'fail' | 'inconclusive' | 'untested';
  readonly verdict: Verdict;
  /** Why it is inconclusive or untested, or what was seen first where it failed. */
  readonly reason?: string;
  readonly code?: string;
  readonly nonGating?: NonGating;
  /** Id of what stands behind a verdict of failed, inconclusive or untested. */
  readonly cause?: string;
  readonly cases: readonly string[];
  /** In a report of several runs, of what was judged in one of them. */
  readonly runs?: RequirementRuns;
}

export interface ReportCase extends Omit<Case, 'check' | 'unlessRefused'> {
  readonly verdict: Verdict;
  readonly findings: readonly ReportFinding[];
  readonly passed: readonly string[];
  readonly exchanges: readonly string[];
  /** A curl command; tokens as environment variables. Present wherever an exchange was sent. */
  readonly reproduce?: string;
}

/** A combination, of the first model of the family or of the one that it names. */
export interface ReportCell extends ModelCell {
  readonly expectation: Expectation;
  readonly why: string;
  readonly requirements: readonly string[];
  /** Where at least one group must be served, whichever: the verdict of that. The group by itself is unspecified. */
  readonly anyGroup?: Verdict;
  readonly observed: 'served' | 'refused' | 'unknown' | 'not sent';
  readonly cases: readonly string[];
}

/** A contradiction or an ambiguity of the interface, and what the target makes of it. It is never a failure. */
export interface ReportConflict {
  readonly id: string;
  /** A contradiction where it is absent: reports of earlier versions have no others. */
  readonly kind?: CatalogueEntry['kind'];
  readonly sections: readonly string[];
  readonly readings: readonly Reading[];
  /** The reading that the suite judges by; absent where neither is held. */
  readonly held?: Label;
  readonly why?: string;
  readonly requirements?: readonly string[];
  /**
   * `mixed`: one here and another one there. `untested`: the target declares nothing to test it with, or no case was selected. `not observable`: no reply
   * shows it.
   */
  readonly follows: Label | 'mixed' | 'neither' | 'unknown' | 'untested' | 'not observable';
  readonly exchanges: readonly string[];
  readonly observations?: readonly string[];
}

export interface ReportObservation {
  readonly id: string;
  /** The first section of its requirement. */
  readonly section: string;
  /** The unspecified requirement it belongs to. */
  readonly requirement: string;
  readonly subject: string;
  readonly value: string;
  /** What of the value is the same in each run as long as the target is, where that is not all; null for nothing. */
  readonly stable?: string | null;
  readonly exchanges: readonly string[];
}

interface ReportPin {
  readonly kind: PinKind;
  readonly id: string;
  /** Its line in the file, from 1. */
  readonly line: number;
  readonly subject: string;
  readonly pinned: string;
  /** The run and the exchange that showed it when it was pinned, where the file says so. */
  readonly run?: string;
  readonly exchange?: string;
  /** Those of this run. */
  readonly exchanges: readonly string[];
}

/** A run compared with its pins; no verdict depends on it. */
export interface ReportPins {
  readonly file: string;
  /** How many pinned behaviours are as they were. */
  readonly kept: number;
  readonly changed: readonly (ReportPin & { readonly observed: string })[];
  /** Not asked, or asked and not shown by what came back. */
  readonly unobserved: readonly (ReportPin & { readonly why: 'not-asked' | 'not-shown' })[];
}

/** An exchange as the report carries it: long bodies are shortened, the evidence has the whole. */
export interface ReportExchange extends Exchange {
  /** True where the body was shortened. */
  readonly shortened?: boolean;
}

/** What a run cost, in the currency of its prices. */
export interface ReportCost {
  /** Three letters. */
  readonly currency: string;
  /** What the plan was thought to cost with a conformant target. */
  readonly expected: number;
  /** By the usage that answers report, else as their text is counted. */
  readonly actual: number;
  /** Answers that report no usage. */
  readonly estimated: number;
}

export interface RepeatedRun {
  /** From 1. */
  readonly run: number;
  readonly id: string;
  readonly seed: number;
  readonly verdict: Report['verdict'];
  readonly partial: boolean;
  /** Ids of the requirements that it asked again; absent where it asked all. */
  readonly askedAgain?: readonly string[];
}

/** A length of texts from which on an endpoint refuses every valid request: the interface shows no greatest one (8.4). */
export interface ReportTextLimit {
  readonly protocol: Protocol;
  /** Characters of the shortest one that is refused, and of the longest one that is answered. */
  readonly refused: number;
  readonly answered: number;
  /** How many requests with such a text were refused: all of them. */
  readonly seen: number;
  readonly exchanges: readonly string[];
}

/** The one result document (contract "report.json"); every rendering is a function of it. */
export interface Report {
  readonly schemaVersion: 3;
  readonly suite: SuiteInfo;
  readonly target: { readonly name: string; readonly baseUrl: string };
  readonly scope: Omit<Scope, 'shared' | 'sharedModels' | 'further'> &
    ReportedDepth & {
      /** Models that were judged behind the first of their family; absent where none was declared. */
      readonly furtherModels?: Partial<Readonly<Record<Family, readonly string[]>>>;
      /** The selection of `--suite`, `--requirement`, `--family`, `--group`; empty for a full run. */
      readonly selection: Readonly<Record<string, readonly string[]>>;
    };
  readonly run: {
    readonly id: string;
    readonly startedAt: string;
    readonly finishedAt: string;
    /** Requests sent, every attempt counted. */
    readonly requests: number;
    /** Generations the target is thought to have billed: answered requests, images counted each. */
    readonly billedGenerations: number;
    readonly cost?: ReportCost;
    readonly seed: number;
    /** Whether the run was stopped before all requests of its plan were sent. */
    readonly partial: boolean;
    /** Ids of the runs that it was merged of; absent where it is one run. */
    readonly parts?: readonly string[];
    /** Of a report of several runs: how many were asked for, and those that were judged. Sums and times are of all. */
    readonly repeat?: { readonly asked: number; readonly runs: readonly RepeatedRun[] };
    /** What live traffic came to, where that is what was judged. */
    readonly traffic?: TrafficCounts;
  };
  readonly verdict: 'conformant' | 'non-conformant' | 'inconclusive';
  /** One sentence each: what decided the verdict. */
  readonly reasons: readonly string[];
  readonly summary: Readonly<Record<Verdict, number>>;
  /** What stands behind what failed or could not be judged, the worst first. */
  readonly causes: readonly ReportCause[];
  /** Whether the target knows each declared token and model. Absent in reports of earlier versions, and of several runs. */
  readonly declared?: readonly ReportDeclared[];
  /** Lengths of texts from which on an endpoint refuses all; absent where none was seen. */
  readonly textLimits?: readonly ReportTextLimit[];
  readonly requirements: readonly ReportRequirement[];
  readonly excluded: readonly (Pick<ReportRequirement, 'id' | 'sections' | 'level' | 'statement'> & {
    readonly reason: string;
  })[];
  readonly cases: readonly ReportCase[];
  readonly matrix: readonly ReportCell[];
  readonly conflicts: readonly ReportConflict[];
  readonly observations: readonly ReportObservation[];
  readonly exchanges: readonly ReportExchange[];
  /** Where the run was compared with a file of pins. */
  readonly pins?: ReportPins;
  /** Where official clients asked, too: not part of the evidence, and without effect on the verdict. */
  readonly interop?: readonly InteropClient[];
}
