import { firstUntrue, type Holds, type Known, sentenceOf, type Untrue } from './experiments.ts';
import { lawfulOn } from './endpoints.ts';
import { bodyOf, isAnswered, type Witnessed, hasOutput } from './witness.ts';
import { type Protocol, protocols, type Group, groups } from '../../spec/vocabulary.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import { tokenVariable } from '../../fixtures/target/target.ts';
import type { ReportExchange } from '../../suites/types/report.ts';
import type { RetryReason, Transient } from '../../suites/types/reasons/exchange-reasons.ts';

/** The group whose token a request of the report shows, by the variable that stands for it. */
const groupOf = ({ headers }: ReportExchange['request']): Group | undefined =>
  groups.find((group) =>
    Object.values(headers).some((value) => value.includes(`\${${tokenVariable(group)}}`)),
  );

/** What the gateway got for an exchange of the report, attempt by attempt. */
const gotFor = ({ request }: ReportExchange, { witness }: Known): readonly Witnessed[] =>
  witness.seen.filter(
    ({ ctx, protocol, group, worth }) =>
      ctx.text === (request.body ?? '') &&
      request.url.endsWith(protocolFacts[protocol].path) &&
      (/^(limit|credential|version)$/.test(worth) || group === (groupOf(request) ?? null)),
  );

function untrueRetry(retry: RetryReason, exchange: ReportExchange, known: Known): string | undefined {
  // Of what is sent to a path that is none the gateway knows the path alone.
  if (known.witness.strayed.some((path) => exchange.request.url.endsWith(path))) return undefined;
  const got = gotFor(exchange, known);
  switch (retry.kind) {
    case 'confirm-refusal':
    case 'confirm-refusal-with-retry-after':
    case 'lock-out':
      return got.some((one) => !isAnswered(one) || !hasOutput(one)) ? undefined : 'nothing was refused';
    case 'transient':
      return hasCome(retry.transient, got) ? undefined : 'no such reply was given';
    default:
      return undefined;
  }
}

/** Whether the gateway gave a reply that ends so. */
function hasCome(transient: Transient, got: readonly Witnessed[]): boolean {
  switch (transient.cause) {
    case 'status':
      return got.some(({ reply }) => reply.status === transient.status);
    case 'unreachable':
      return got.some(({ reply }) => reply.ending === 'dropped');
    case 'cut':
      return got.some(({ reply }) => reply.ending === 'cut');
    default:
      return true;
  }
}

/** The notes on retrying that are not so, each told once. */
export function untrueRetries(known: Known): readonly string[] {
  const found = known.report.exchanges.flatMap((exchange) =>
    exchange.attempts.flatMap(({ retry }) => {
      const untrue = retry && untrueRetry(retry, exchange, known);
      return retry && untrue ? [`retry ${retry.kind} of ${exchange.id}: ${untrue}`] : [];
    }),
  );
  return [...new Set(found)];
}

/** The endpoints that the requirements of a cause are about. */
const protocolsOf = (requirements: readonly string[]): readonly Protocol[] =>
  protocols.filter((protocol) =>
    requirements.some(
      (id) => id.startsWith(`${protocol}.`) || (id.startsWith('family.') && id.split('.')[2] === protocol),
    ),
  );

/** Phrases that say that nothing was answered, and what is then not so. */
function sentenceHolds(sentence: string, requirements: readonly string[], known: Known): Untrue {
  const answeredOn = (protocol: Protocol): boolean => lawfulOn(known, protocol).some(isAnswered);
  const isNothing = /nothing (was|is) answered|no request (was|is) answered\b/.test(sentence);
  const answered = isNothing ? protocolsOf(requirements).find(answeredOn) : undefined;
  return firstUntrue(
    [!/no finding recorded|undefined/.test(sentence), 'is no sentence'],
    [answered === undefined, `${answered} answers valid requests`],
  );
}

const notDecided: Holds = (cause, known) => sentenceHolds(sentenceOf(cause), cause.requirements, known);

/** What the rows of a report give as their reason and is not so. */
export const untrueReasons = (known: Known): readonly string[] =>
  known.report.requirements.flatMap(({ id, reason }) => {
    const untrue = reason && sentenceHolds(reason, [id], known);
    return untrue ? [`${id}: ${reason} — ${untrue}`] : [];
  });

/** Whether the model said something of which the reply has nothing: that is not the model's. */
const isLeftOut = (one: Witnessed): boolean => {
  const words = one.said.flatMap((piece) => piece.match(/[\p{L}\p{N}]{3,}/gu) ?? []);
  const body = bodyOf(one);
  return words.length > 0 && isAnswered(one) && !words.some((word) => body.includes(word));
};

/** A gateway may refuse what is asked, and its model may not do as it is told: one that does neither shows all. */
const modelBehaviour: Holds = ({ exchanges }, { subject, report, witness }) => {
  const isRefused = witness.seen.some((one) => one.worth === 'lawful' && !isAnswered(one));
  const { generate, prompt, reply, result, events } = subject.hooks;
  const isChanged = [generate, prompt, reply, result, events].some((hook) => hook !== undefined);
  const bodies = new Set(
    report.exchanges.filter(({ id }) => exchanges.includes(id)).map(({ request }) => request.body),
  );
  const shown = witness.seen.filter(({ ctx, worth }) => worth === 'lawful' && bodies.has(ctx.text));
  return firstUntrue(
    [isRefused || isChanged, 'the model does as it is told'],
    [shown.length === 0 || !shown.every(isLeftOut), 'the model spoke, and the replies have nothing of it'],
  );
};

/** A reply that takes longer, in milliseconds, is slow enough to time. */
const slow = 1000;

const tooFast: Holds = ({ requirements, summary }, { witness }) => {
  // What else it says of the clock is about the machine of the run, which the target does not see.
  if (!summary.includes('too fast')) return undefined;
  const streams = witness.seen.filter(
    (one) =>
      protocolsOf(requirements).includes(one.protocol) && one.ctx.body.stream === true && isAnswered(one),
  );
  const msOf = ({ reply }: Witnessed): number => reply.pieces.reduce((ms, { waitMs }) => ms + waitMs, 0);
  return streams.length > 0 && streams.every((one) => msOf(one) > slow) ? 'the text comes slowly' : undefined;
};

/** The declaration is all that the console has: what is not declared is what no console has. */
const notDeclared: Holds = ({ requirements }, { report }) =>
  firstUntrue([
    !report.requirements.some(({ id, verdict }) => requirements.includes(id) && verdict !== 'untested'),
    'something of it was tested',
  ]);

const unasked: Holds = ({ requirements }, { report }: Known): Untrue => {
  const asked = report.requirements.find(
    ({ id, verdict }) => requirements.includes(id) && verdict === 'pass',
  );
  return asked && `${asked.id} was asked`;
};

/** Sentences about what the run did not decide. */
export const ofUndecided = {
  'not-decided': notDecided,
  'model-behaviour': modelBehaviour,
  'too-fast': tooFast,
  'not-declared': notDeclared,
  'not-asked': unasked,
} as const satisfies Readonly<Record<string, Holds>>;
