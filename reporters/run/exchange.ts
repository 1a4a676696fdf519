import { count, groupDigits, shorten } from '../../spec/text.ts';
import type { ReportExchange } from '../../suites/types/report.ts';
import { endingWords, gaveUpWords, retryWords } from '../../suites/types/reasons/exchange-words.ts';
import {
  type Block,
  code,
  type Inline,
  link,
  list,
  paragraph,
  quiet,
  small,
  strong,
} from '../document/blocks.ts';
import { duration } from '../wording.ts';
import { bodyText } from './body.ts';
import { bodyLimit, type Context, exchangeAnchor } from './context.ts';
import { timeline } from './timeline.ts';

const mostHeaders = 16;
const longestHeader = 100;

/** Headers that are the same in every exchange, repeat other data, or describe the connection. */
export const omittedHeaders = [
  'accept-encoding',
  'user-agent',
  'connection',
  'keep-alive',
  'content-length',
  'date',
];

function headerText(all: readonly (readonly [string, string])[]): string {
  const headers = all.filter(([name]) => !omittedHeaders.includes(name));
  const lines = headers
    .slice(0, mostHeaders)
    .map(([name, value]) => shorten(`${name}: ${value}`, longestHeader));
  const rest = headers.length - mostHeaders;
  return [...lines, ...(rest > 0 ? [`… ${rest} more headers`] : [])].join('\n');
}

function outcomeOf({ response, ending, timing, attempts }: ReportExchange): string {
  const status = response === null ? 'no reply' : String(response.status);
  const end = ending.kind === 'complete' ? '' : `, ${ending.kind}`;
  const tries = attempts.length > 1 ? `, ${attempts.length} attempts` : '';
  return `${status}${end}, ${duration(timing.endMs)}${tries}`;
}

function attemptBlocks({ attempts, ending }: ReportExchange): Block[] {
  if (attempts.length < 2 && ending.kind === 'complete') return [];
  const items = attempts.map(({ status, ending: end, bytes, ms, waitedMs, retry, gaveUp }) => {
    const waited = waitedMs > 0 ? `after waiting ${duration(waitedMs)}: ` : '';
    const detail = end.kind === 'complete' ? '' : ` (${shorten(endingWords(end), 200)})`;
    const again = retry === undefined ? '' : `; sent again: ${shorten(retryWords(retry), 200)}`;
    const why = gaveUp === undefined ? again : `; not sent again: ${shorten(gaveUpWords(gaveUp), 200)}`;
    return `${waited}${status === null ? 'no status' : `status ${status}`}, ${end.kind}${detail}, ${groupDigits(bytes)} bytes in ${duration(ms)}${why}`;
  });
  return [paragraph(count(attempts.length, 'attempt'), 'label'), list(items, { ordered: true })];
}

function requestBlock(context: Context, { id, request }: ReportExchange): Block {
  const body: Inline =
    request.body === null
      ? { is: 'aside', of: 'no body' }
      : bodyText(
          { text: request.body, encoding: 'utf8', bytes: 0, arrivals: [] },
          [],
          bodyLimit(context, id),
        );
  const head = `${request.method} ${request.url}\n${headerText(Object.entries(request.headers))}\n\n`;
  return { kind: 'recorded', title: 'Request', text: [head, body] };
}

function replyBlock(context: Context, { id, response, ending, shortened }: ReportExchange): Block {
  if (response === null) {
    const why = ending.kind === 'complete' ? '' : `, ${shorten(endingWords(ending), 300)}`;
    return { kind: 'recorded', title: 'Reply', text: { is: 'aside', of: `none: ${ending.kind}${why}` } };
  }
  const { status, headers, body } = response;
  const size = `${groupDigits(body.bytes)} bytes${shortened === true ? ', shortened; in full in evidence.jsonl' : ''}`;
  const text = bodyText(body, context.pointers.get(id) ?? [], bodyLimit(context, id));
  return {
    kind: 'recorded',
    title: ['Reply ', small(size)],
    text: [`${status}\n${headerText(headers)}\n\n`, text],
  };
}

const repeatsBlock = (context: Context, { repeats }: ReportExchange): Block | false =>
  repeats !== undefined &&
  quiet([
    'A control: repeats a valid request to see whether the target still answers, next to a request that may be refused: ',
    exchangeLinks(context, [repeats]),
    '.',
  ]);

/** An exchange as recorded: request, reply, arrivals and attempts, behind one line; unfolded where that is asked for. */
export function exchangeBlock(context: Context, exchange: ReportExchange, isOpen = false): Block {
  const { id, request } = exchange;
  const base = context.report.target.baseUrl;
  const path = request.url.startsWith(base) ? request.url.slice(base.length) : request.url;
  return {
    kind: 'fold',
    from: 'page',
    look: 'exchange',
    id: exchangeAnchor(id),
    open: isOpen,
    summary: [
      code(id),
      ' ',
      small(`${request.method} ${shorten(path, 120)}`),
      ' ',
      strong(outcomeOf(exchange)),
    ],
    blocks: [
      timeline(exchange),
      { kind: 'columns', blocks: [requestBlock(context, exchange), replyBlock(context, exchange)] },
      repeatsBlock(context, exchange),
      ...attemptBlocks(exchange),
    ],
  };
}

/** Links to exchanges; an id that the report does not carry stays plain. */
export const exchangeLinks = (context: Context, ids: readonly string[]): Inline =>
  ids.map((id, at) => [at > 0 && ', ', context.exchanges.has(id) ? link(exchangeAnchor(id), id) : code(id)]);

/** Links to the first of these exchanges, and how many more there are. */
export const firstLinks = (context: Context, ids: readonly string[], most: number): Inline => [
  exchangeLinks(context, ids.slice(0, most)),
  ids.length > most && ` and ${ids.length - most} more`,
];
