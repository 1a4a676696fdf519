import type { Protocol } from '../../spec/vocabulary.ts';
import type { ReportCause } from '../../suites/types/cause.ts';
import type { Report } from '../../suites/types/report.ts';
import type { Subject } from '../detect.ts';
import type { Experiments } from './experiments.ts';
import { protocolAt, type Witness } from './witness.ts';

export interface Known {
  readonly report: Report;
  /** What the gateway of the run was asked and did. */
  readonly witness: Witness;
  /** A fresh gateway of the same kind. */
  readonly experiments: Experiments;
  /** What the fault breaks; undefined for a conformant gateway. */
  readonly breaks: readonly string[] | undefined;
  readonly subject: Subject;
}

/** Why a sentence is not true of the gateway; undefined where it is. */
export type Untrue = string | undefined;

export type Holds = (cause: ReportCause, known: Known) => Untrue | Promise<Untrue>;

/** The sentence without what says with which models it was seen. */
export const sentenceOf = ({ summary }: ReportCause): string =>
  summary.replace(/ Only with models? [^.]*(\.\d[^.]*)*\.$/, '');

export const endpointsIn = (sentence: string): readonly Protocol[] =>
  [...sentence.matchAll(/POST (\/v1\/[a-z/]+)/g)].flatMap(([, path = '']) => protocolAt(path) ?? []);

/** `HTTP 400` of a sentence as a number; undefined where it names none. */
export function statusIn(sentence: string): number | undefined {
  const [, status] = /\(HTTP (\d+)\)/.exec(sentence) ?? [];
  return status === undefined ? undefined : Number(status);
}

/** The first reason why one of these is not so. */
export const firstUntrue = (...checks: readonly (readonly [boolean, string])[]): Untrue =>
  checks.find(([holds]) => !holds)?.[1];
