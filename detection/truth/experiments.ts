import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { createGateway } from '../../fixtures/gateway/gateway.ts';
import { type Family, type Group, groups, type Protocol } from '../../spec/vocabulary.ts';
import type { Subject } from '../detect.ts';
import { mustBeServed, type Question, requestFor } from './requests.ts';
import { isAnswered, witness, type Witnessed, protocolAt, type Witness } from './witness.ts';
import type { ReportCause } from '../../suites/types/cause.ts';
import type { Report } from '../../suites/types/report.ts';

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

/** What holds of the first endpoint that a sentence names. */
export const ofEndpoint =
  (
    holds: (protocol: Protocol, sentence: string, known: Known, cause: ReportCause) => ReturnType<Holds>,
  ): Holds =>
  (cause, known) => {
    const sentence = sentenceOf(cause);
    const [protocol] = endpointsIn(sentence);
    return protocol === undefined ? 'names no endpoint' : holds(protocol, sentence, known, cause);
  };

export interface Outcome {
  readonly isAnswered: boolean;
  readonly status: number;
  /** Status and words, without what has a digit in it: ids and times. */
  readonly words: string;
}

/** Asks a fresh gateway of the same kind. */
export type Experiments = Awaited<ReturnType<typeof experimentsOn>>;

const often = 4;
/** Tells requests apart that are under way at once. */
const numberHeader = 'x-oracle-request';

const wordsOf = (status: number, body: string): string =>
  `${status} ${body
    .replace(/\S*\d\S*/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 2000)}`;

/** A gateway of the subject's kind that nobody asked anything before. */
export async function experimentsOn(subject: Subject) {
  const settings = subject.console ?? defaultConsole();
  const { subject: witnessed, seen } = witness(subject);
  const gateway = await createGateway({ console: settings, hooks: witnessed.hooks }).listen();

  let asked = 0;
  async function ask(question: Question): Promise<Outcome> {
    const { path, headers, body } = requestFor(question, settings);
    asked += 1;
    const number = String(asked);
    const isIt = (one: Witnessed): boolean => one.ctx.headers[numberHeader] === number && isAnswered(one);
    const init = { method: 'POST', headers: { ...headers, [numberHeader]: number }, body };
    try {
      const response = await fetch(`${gateway.url}${path}`, init);
      const { status } = response;
      const text = await response.text().catch(() => '');
      return { isAnswered: seen.some(isIt), status, words: wordsOf(status, text) };
    } catch {
      return { isAnswered: seen.some(isIt), status: 0, words: 'no reply' };
    }
  }

  /** So often, for what comes now and then. */
  async function askAgain(question: Question, times = often): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (let at = 0; at < times; at += 1) outcomes.push(await ask(question));
    return outcomes;
  }

  return { settings, ask, askAgain, close: () => gateway.close() };
}

/** The callers that an endpoint must answer: those of the group that is named, or of every group. */
export const lawfulCallers = (protocol: Protocol): readonly { family: Family; group: Group }[] =>
  mustBeServed
    .filter((cell) => cell.protocol === protocol)
    .flatMap(({ family, group }) =>
      (group === 'any' ? groups : [group]).map((each) => ({ family, group: each })),
    );
