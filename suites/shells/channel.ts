import type { ReportCase, SuiteName, Verdict } from '../model/report.ts';

/** A case as a shell needs it: enough to stand in a test report, nothing to judge with. */
export interface ShellCase {
  readonly id: string;
  readonly title: string;
  readonly suite: SuiteName;
  readonly requirements: readonly string[];
  /** Sections of the interface that the requirements come from. */
  readonly sections: readonly string[];
}

/** A judged case on its way to a shell. */
export interface Outcome {
  readonly case: ReportCase;
  /** Its exchanges as one JSON text; null where they are too long to attach. */
  readonly exchanges: string | null;
}

/** What shells and engine say to each other over the broadcast channel. */
export type ShellMessage =
  /** Shell to engine: what is known of this suite, and from now on what becomes known. */
  | { readonly kind: 'ask'; readonly suite: SuiteName }
  | { readonly kind: 'outcomes'; readonly outcomes: readonly Outcome[] }
  /** Engine to the shell of this suite: nothing more comes. */
  | { readonly kind: 'end'; readonly suite: SuiteName };

declare module 'vitest' {
  interface ProvidedContext {
    readonly conformance: { readonly channel: string; readonly cases: readonly ShellCase[] };
  }
  interface TaskMeta {
    caseId?: string;
    verdict?: Verdict;
  }
}
