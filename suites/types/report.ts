// Generated from reporters/schema/report.schema.json by npm run types: change that, and run it again.
import type { Group } from '../../spec/vocabulary.ts';

/** The one result document of a run. Its top level, `suite` and `run` may gain members; of the rows only requirements may. */
export interface Report {
  readonly schemaVersion: 3;
  readonly suite: {
    readonly name: string;
    readonly version: string;
    readonly requirementsDigest: string;
    readonly openapiDigest: string;
    /** The version of the statements, apart from that of the package; absent in reports of versions that had none. */
    readonly statements?: string;
  };
  readonly target: { readonly name: string; readonly baseUrl: string };
  readonly scope: {
    readonly families: readonly Family[];
    readonly groups: readonly Group[];
    readonly rateLimited: boolean;
    /** Models that were judged behind the first of their family, by family; absent where none was declared. */
    readonly furtherModels?: Readonly<Record<string, readonly string[]>>;
    readonly selection: Readonly<Record<string, readonly string[]>>;
    /** How much was asked: the gist, all but observations that are billed for, or everything. */
    readonly profile: 'smoke' | 'standard' | 'full';
    /** Whether n = 10 and quality = hd were left out. */
    readonly skipCostly: boolean;
    /** How many random combinations were asked beyond the covering arrays; absent where none were. */
    readonly explore?: number;
    readonly shard?: Shard;
    readonly again?: AskedAgain;
    /** Whose statements were asked in place of those of the interface: what the gateway states itself; absent where these were. */
    readonly extension?: {
      readonly files: readonly { readonly name: string; readonly digest: string }[];
      readonly at?: OwnPath;
    };
    /** Where the requests come from other clients and not from the suite; the profile then says nothing. */
    readonly source?: 'live-traffic';
  };
  readonly run: {
    readonly id: string;
    readonly startedAt: string;
    readonly finishedAt: string;
    readonly requests: number;
    readonly billedGenerations: number;
    readonly cost?: ReportCost;
    readonly seed: number;
    readonly partial: boolean;
    /** Ids of the runs that it was merged of; absent where it is one run. */
    readonly parts?: readonly string[];
    readonly traffic?: TrafficCounts;
    /** Of several runs: how many were asked for at most, and those that were judged. */
    readonly repeat?: { readonly asked: number; readonly runs: readonly RepeatedRun[] };
  };
  readonly verdict: 'conformant' | 'non-conformant' | 'inconclusive';
  readonly reasons: readonly string[];
  readonly summary: {
    readonly pass: number;
    readonly fail: number;
    readonly inconclusive: number;
    readonly untested: number;
    readonly observed: number;
    readonly conflict: number;
  };
  /** What stands behind what failed or could not be judged, the worst first. */
  readonly causes: readonly ReportCause[];
  /** Lengths of texts from which on an endpoint refuses all valid requests, as far as was seen (8.4). */
  readonly textLimits?: readonly ReportTextLimit[];
  /** Whether the target knows each declared token and model. Of several runs, as the first shows it. Absent in reports of earlier versions. */
  readonly declared?: readonly ReportDeclared[];
  readonly requirements: readonly ReportRequirement[];
  readonly excluded: readonly Excluded[];
  readonly cases: readonly ReportCase[];
  readonly matrix: readonly ReportCell[];
  readonly conflicts: readonly ReportConflict[];
  readonly observations: readonly ReportObservation[];
  readonly exchanges: readonly ReportExchange[];
  /** What official clients met; no verdict depends on it, and the evidence does not hold it. */
  readonly interop?: readonly InteropClient[];
  readonly pins?: ReportPins;
}

type Family = 'general' | 'conversational' | 'multimodal' | 'image' | 'chat-image';

/** Which of several runs that share the cases this is; absent where one run asked all of them. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** What of an earlier run was asked again; absent where a run asked anew. */
export interface AskedAgain {
  /** Id of the earlier run; of those before it, where it is one of several, the first. */
  readonly run: string;
  /** Where it is one of several runs of the same target, in which nothing was mended meanwhile. */
  readonly repeated?: true;
  /** What it is about, with the verdicts that the earlier run gave. */
  readonly requirements: readonly { readonly id: string; readonly verdict: 'fail' | 'inconclusive' }[];
  /** Ids of the cases that were asked. */
  readonly cases: readonly string[];
}

/** A path of the target beside those of the interface, with the shape of one of them. */
interface OwnPath {
  readonly path: string;
  readonly shape: Protocol;
  readonly place: Place;
}

type Protocol = 'responses' | 'messages' | 'chat' | 'images';

/** Where an extension states it. */
interface Place {
  readonly file: string;
  readonly line: number;
}

/** Where the config has prices: what the plan was thought to cost, and what the answers came to by the usage that they report; `estimated` of them report none, and their tokens are counted. */
export interface ReportCost {
  readonly currency: string;
  readonly expected: number;
  readonly actual: number;
  readonly estimated: number;
}

/** What live traffic came to. */
export interface TrafficCounts {
  /** Requests that were passed on. */
  readonly passed: number;
  /** Valid requests whose exchange was judged. */
  readonly judged: number;
  /** Judged exchanges that show something that fails. */
  readonly failing: number;
  /** Valid requests that were refused, or got a reply that proves nothing: no failure by itself. */
  readonly unanswered: number;
  /** Exchanges in the evidence; the others are only counted. */
  readonly kept: number;
  /** Requests that name an earlier response, by whether it came through the proxy. */
  readonly chained: { readonly known: number; readonly unknown: number };
  /** What was not judged, by reason, and how much of it was answered with a result. */
  readonly setAside: readonly {
    readonly why: SetAside;
    readonly requests: number;
    readonly answered: number;
  }[];
  /** Whether evidence is no longer recorded: its bound is reached. */
  readonly full: boolean;
}

export type SetAside =
  | 'other-path'
  | 'outside-contract'
  | 'unspecified'
  | 'undeclared-model'
  | 'unsupported-cell'
  | 'client-left'
  | 'not-connected'
  | 'too-large'
  | 'other-coding'
  | 'not-recorded';

export interface RepeatedRun {
  readonly run: number;
  readonly id: string;
  readonly seed: number;
  readonly verdict: 'conformant' | 'non-conformant' | 'inconclusive';
  readonly partial: boolean;
  /** Ids of the requirements that it asked again; absent where it asked all. */
  readonly askedAgain?: readonly string[];
}

/** What stands behind the verdicts of some requirements. */
export interface ReportCause {
  /** Its kind, and behind a colon what it is about, such as endpoint-absent:responses. */
  readonly id: string;
  readonly kind: CauseKind;
  readonly summary: string;
  /** Models behind the first of their family that it was seen with alone; absent where a first one shows it, too. */
  readonly models?: readonly string[];
  /** Keys of the config that a mistake of the operator is in; absent where it is none. */
  readonly configKeys?: readonly string[];
  /** The exchanges that show it best. */
  readonly evidence: readonly string[];
  /** All exchanges that show it. */
  readonly exchanges: readonly string[];
  /** A curl command that repeats the first of the evidence, or what shows the same with fewer parts. */
  readonly reproduce?: string;
  readonly smallest?: SmallestRequest;
  readonly requirements: readonly string[];
  /** Of several runs: in how many its requirements were asked, and in how many it was seen. */
  readonly runs?: { readonly judged: number; readonly seen: number };
}

export type CauseKind =
  | 'unreachable'
  | 'base-address'
  | 'token-not-accepted'
  | 'tokens-exchanged'
  | 'same-token'
  | 'model-not-known'
  | 'token-not-told'
  | 'model-not-told'
  | 'stopped-answering'
  | 'endpoint-absent'
  | 'endpoint-unanswered'
  | 'family-not-served'
  | 'stream-not-offered'
  | 'parameter-not-supported'
  | 'text-refused'
  | 'result-field-broken'
  | 'requirement-broken'
  | 'not-refused'
  | 'limit-hit'
  | 'no-answer-in-time'
  | 'no-usable-reply'
  | 'run-stopped'
  | 'not-decided'
  | 'model-behaviour'
  | 'too-fast'
  | 'not-declared'
  | 'not-asked';

/** Of a failure: how small the request of that command is. smallest: sent once more it showed it again. nothing-left-out: less any part it no longer does. not-always: the same request, sent once more, did not show it. unfinished: parts are left that nobody tried to leave out. not-sent: nothing was sent for it. not-tried: it rests on several replies, or on what the request says. */
export interface SmallestRequest {
  readonly kind: 'smallest' | 'nothing-left-out' | 'not-always' | 'unfinished' | 'not-sent' | 'not-tried';
  readonly exchange: string;
  /** What must come of it. */
  readonly expected?: string;
  /** What came of it. */
  readonly actual?: string;
  /** How often the same request showed it, of the times that it was sent once more, one after another. */
  readonly again?: { readonly shown: number; readonly of: number };
  /** Where none of these times showed it: how many other requests were under way when those were sent that did. */
  readonly beside?: { readonly least: number; readonly most: number };
  /** Parameters and headers without each of which it did not show it. */
  readonly needed?: readonly string[];
  /** In words, which of the times that the same request was sent show it. */
  readonly condition?: string;
  /** Every so-manieth time, in place of the condition in words. Absent in reports of later versions. */
  readonly each?: number;
}

export interface ReportTextLimit {
  readonly protocol: Protocol;
  /** Characters of the shortest text that is refused. */
  readonly refused: number;
  /** Characters of the longest text that is answered. */
  readonly answered: number;
  /** How many requests with such a text were refused: all of them. */
  readonly seen: number;
  readonly exchanges: readonly string[];
}

/** A declared token or model, and whether the target knows it. */
export interface ReportDeclared {
  /** The keys of the config that name it. */
  readonly keys: readonly string[];
  readonly kind: 'token' | 'model';
  readonly knowledge: Knowledge;
  readonly exchanges: readonly string[];
}

/** Accepted: it was answered. Known: it is refused in other words than something invented. Unknown: it is refused in the same words. Alike: and so is all else there. Not-compared: nothing tells. */
export type Knowledge = 'accepted' | 'known' | 'unknown' | 'alike' | 'not-compared';

export interface ReportRequirement {
  readonly id: string;
  readonly sections: readonly string[];
  readonly level: Level;
  readonly impact?: Impact;
  /** The version of the statements from which on the row stands as it does; absent for the first. */
  readonly since?: number;
  readonly place?: Place;
  /** What was found of a row that does not count yet, or that the suite knows to judge wrongly; its verdict is observed or untested. */
  readonly provisional?: 'pass' | 'fail' | 'inconclusive' | 'untested';
  readonly statement: string;
  readonly reading?: string;
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly code?: string;
  readonly nonGating?: NonGating;
  /** Id of what stands behind a verdict of failed, inconclusive or untested. */
  readonly cause?: string;
  readonly cases: readonly string[];
  readonly runs?: RequirementRuns;
}

type Level = 'stated' | 'derived' | 'unspecified' | 'conflicting' | 'own';

/** Who is hurt where a stated or derived requirement is broken: a client that keeps to the interface breaks (client), someone gets in or pays who should not (credential), the gateway takes more than the interface allows and no conforming client notices (lenient). */
type Impact = 'client' | 'credential' | 'lenient';

export type Verdict = 'pass' | 'fail' | 'inconclusive' | 'untested' | 'observed' | 'conflict';

/** Why an inconclusive verdict does not gate. */
export type NonGating = 'model-behaviour' | 'too-fast';

/** Of several runs: how many judged it, and those in which it failed. The report holds the exchanges of the first three; the id in the evidence of a run follows the slash. */
export interface RequirementRuns {
  readonly judged: number;
  readonly failed: number;
  readonly inconclusive: number;
  readonly failures: readonly {
    readonly run: number;
    readonly seed: number;
    readonly exchanges: readonly string[];
  }[];
}

interface Excluded {
  readonly id: string;
  readonly sections: readonly string[];
  readonly level: Level;
  readonly statement: string;
  readonly reason: string;
}

export interface ReportCase {
  readonly id: string;
  readonly title: string;
  readonly suite:
    | 'families'
    | 'results'
    | 'authentication'
    | 'parameters'
    | 'streams'
    | 'context'
    | 'errors'
    | 'observations';
  /** The model that it judges; absent where that is the first of each family. */
  readonly model?: { readonly family: Family; readonly name: string };
  readonly cell?: Cell;
  readonly requirements: readonly string[];
  readonly verdict: Verdict;
  readonly findings: readonly ReportFinding[];
  readonly passed: readonly string[];
  readonly exchanges: readonly string[];
  /** A curl command; tokens as environment variables. */
  readonly reproduce?: string;
}

interface Cell {
  readonly family: Family;
  readonly protocol: Protocol;
  readonly group: Group;
  readonly stream: boolean;
  /** The name of a model behind the first of its family; absent for the first. */
  readonly model?: string;
}

/** What a case says of one requirement where it is not a pass. */
export interface ReportFinding {
  readonly requirement: string;
  /** The name of a model behind the first of its family; absent for the first. */
  readonly model?: string;
  readonly verdict: 'fail' | 'inconclusive' | 'untested';
  readonly exchange?: string;
  /** A JSON Pointer into the reply, or `event N` with a pointer behind it for a stream. */
  readonly pointer?: string;
  readonly code?: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** Of a failure that not every reply shows: how many do, and in words what tells these from the others, where anything does. */
  readonly replies?: { readonly failed: number; readonly of: number; readonly condition?: string };
  readonly nonGating?: NonGating;
}

/** A combination, of the first model of the family or of the one that it names. */
export interface ReportCell {
  readonly family: Family;
  readonly protocol: Protocol;
  readonly group: Group;
  readonly stream: boolean;
  /** The name of a model behind the first of its family; absent for the first. */
  readonly model?: string;
  readonly expectation: 'served' | 'refused' | 'conflict' | 'unspecified';
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
  readonly kind?: 'contradiction' | 'ambiguity';
  readonly sections: readonly string[];
  readonly readings: readonly {
    readonly label: 'A' | 'B';
    readonly requirement?: string;
    readonly statement: string;
    readonly sections: readonly string[];
  }[];
  /** The reading that the suite judges by; absent where neither is held. */
  readonly held?: 'A' | 'B';
  readonly why?: string;
  /** Ids of the requirements that rest on it. */
  readonly requirements?: readonly string[];
  readonly follows: 'A' | 'B' | 'mixed' | 'neither' | 'unknown' | 'untested' | 'not observable';
  readonly exchanges: readonly string[];
  /** Ids of observations that belong to it. */
  readonly observations?: readonly string[];
}

export interface ReportObservation {
  readonly id: string;
  readonly section: string;
  readonly requirement: string;
  readonly subject: string;
  readonly value: string;
  /** What of the value is the same in each run as long as the target is, where that is not all; null for nothing. */
  readonly stable?: string | null;
  readonly exchanges: readonly string[];
}

/** An exchange as the report carries it: long bodies are shortened, the evidence has the whole. */
export interface ReportExchange extends Exchange {
  /** True where the body was shortened; the whole stands in the evidence. */
  readonly shortened?: boolean;
}

/** Request and reply, as they were; credentials masked. */
export interface Exchange {
  readonly id: string;
  /** The planned request that it sends once more, as the control of another that may be refused. */
  readonly repeats?: string;
  /** The planned combination of which it sends a part, and the factors of that part. */
  readonly part?: { readonly of: string; readonly factors: readonly string[] };
  /** The exchange whose request it sends once more, less these parts, the so-manieth time: it is not judged. */
  readonly smaller?: { readonly of: string; readonly cuts: readonly string[]; readonly time: number };
  readonly request: SentRequest;
  readonly response: Reply | null;
  readonly ending: Ending;
  readonly timing: {
    readonly startedAt: string;
    readonly headersMs: number | null;
    readonly endMs: number;
    readonly stallMs: number;
  };
  readonly attempts: readonly Attempt[];
}

/** A request as it was sent; a credential stands as `${VARIABLE}`, never as its value. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface Reply {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Body;
}

/** The bytes of a body after content decoding, credentials masked to the same length: as text where they are UTF-8, else as base64. */
export interface Body {
  readonly text: string;
  readonly encoding: 'utf8' | 'base64';
  readonly bytes: number;
  /** After each chunk: bytes so far, and milliseconds since the request was sent. */
  readonly arrivals: readonly (readonly [number, number])[];
}

type Ending =
  | { readonly kind: 'complete' }
  | {
      readonly kind: 'cut' | 'unreachable' | 'garbled' | 'undecodable';
      readonly detail: string;
      /** The status by which a proxy refused to connect to the target. */
      readonly proxyStatus?: number;
    }
  | {
      readonly kind: 'timeout';
      readonly afterMs: number;
      /** It got less time than usual, for requests of its kind had run out of that. */
      readonly shortened?: true;
    }
  | {
      readonly kind: 'oversize';
      readonly bound: 'body' | 'bodies-in-flight' | 'header-bytes' | 'header-count';
      readonly limit: number;
    };

export interface Attempt {
  readonly status: number | null;
  readonly ending: Ending;
  /** Equal for replies with the same status and the same words; null where none came. */
  readonly fingerprint: string | null;
  readonly bytes: number;
  readonly startedAt: string;
  readonly ms: number;
  /** Milliseconds that it was given, where its reply came whole in more than four fifths of them. */
  readonly limitMs?: number;
  /** What came, where another attempt followed: the reply of the last is that of the exchange. */
  readonly response?: Reply;
  readonly waitedMs: number;
  readonly retry?: RetryReason;
  /** The exchange that sent a control after this attempt and before the next. */
  readonly control?: string;
  readonly gaveUp?: GaveUp;
}

/** Why a request was sent again. */
type RetryReason =
  | { readonly kind: 'transient'; readonly transient: Transient }
  | {
      readonly kind: 'confirm-refusal' | 'confirm-failure' | 'confirm-refusal-with-retry-after' | 'lock-out';
    };

/** A reply, or the lack of one, that proves nothing about the target. */
type Transient =
  | { readonly cause: 'status'; readonly status: number }
  | { readonly cause: 'cut-document'; readonly bytes: number }
  | { readonly cause: 'passing-refusal'; readonly times: number; readonly needed: number }
  | { readonly cause: 'challenge'; readonly sign: string }
  | { readonly cause: 'unreachable' | 'cut' | 'garbled'; readonly detail: string }
  | { readonly cause: 'timeout'; readonly afterMs: number }
  | { readonly cause: 'oversize' }
  | { readonly cause: 'too-complex'; readonly bound: 'values' | 'levels' | 'events'; readonly limit: number }
  | { readonly cause: 'reading-error'; readonly message: string };

/** Why a request was not sent again, though its last reply proves nothing. */
type GaveUp =
  | {
      readonly kind: 'retry-after-too-long' | 'retry-after-without-control' | 'waited-enough';
      readonly seconds: number;
    }
  | { readonly kind: 'no-reply-in-time' }
  | TargetGivenUp;

interface TargetGivenUp {
  readonly kind: 'target-given-up';
  readonly attempts: number;
  readonly seconds: number;
  readonly last: Transient;
}

/** How one official client got on with the target. */
export interface InteropClient {
  readonly client: string;
  /** Version by package; empty where it is not installed. */
  readonly versions: Readonly<Record<string, string>>;
  readonly baseUrl: string;
  readonly notes: readonly string[];
  /** Why it was not tried, or not to the end. */
  readonly notRun?: string;
  /** Billed generations at most; not among those of `run`. */
  readonly generations: number;
  readonly results: readonly InteropResult[];
}

/** What came of one request that a client made. */
export interface InteropResult {
  readonly protocol: Protocol;
  readonly asked: InteropAsked;
  readonly ok: boolean;
  /** In the client's own words. */
  readonly error?: string;
}

/** What a client is to see: an answer, whole or streamed, or one of the failure classes of section 7. */
export type InteropAsked = 'answer' | 'stream' | 'invalid-token' | 'spent-token' | 'unknown-model';

/** The run compared with a file of pins; no verdict depends on it. */
export interface ReportPins {
  readonly file: string;
  readonly kept: number;
  readonly changed: readonly (Pin & { readonly observed: string })[];
  readonly unobserved: readonly (Pin & { readonly why: 'not-asked' | 'not-shown' })[];
}

interface Pin {
  readonly kind: 'observation' | 'cell' | 'conflict';
  readonly id: string;
  readonly line: number;
  readonly subject: string;
  readonly pinned: string;
  readonly run?: string;
  readonly exchange?: string;
  readonly exchanges: readonly string[];
}
