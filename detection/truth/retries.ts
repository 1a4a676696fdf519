import { protocolFacts } from '../../spec/protocols.ts';
import { type Group, groups } from '../../spec/vocabulary.ts';
import { tokenVariable } from '../../fixtures/target/target.ts';
import type { ReportExchange } from '../../suites/types/report.ts';
import type { RetryReason, Transient } from '../../suites/types/reasons/exchange-reasons.ts';
import type { Known } from './known.ts';
import { hasOutput, isAnswered, type Witnessed } from './witness.ts';

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
