import { oncePerObject } from '../../spec/once.ts';
import { count, groupDigits, shorten } from '../../spec/text.ts';
import type { Body } from '../../suites/types/exchange.ts';
import type { ReportExchange } from '../../suites/types/report.ts';
import { endingWords, gaveUpWords, retryWords } from '../../suites/types/reasons/exchange-words.ts';
import { code, joined, link, list, paragraph, quiet, small, strong } from '../document/blocks.ts';
import type { Block, Inline } from '../document/blocks.ts';
import { duration } from '../wording.ts';
import { bodyParts } from './body.ts';
import { type Context, exchangeAnchor, isShown } from './context.ts';
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

type Headers = readonly (readonly [name: string, value: string])[];

export const headerLine = ([name, value]: Headers[number]): string =>
  shorten(`${name}: ${value}`, longestHeader);

/** The headers of a request or a reply, but for those that most have alike; of these, those that it lacks. */
function headerText(all: Headers, usual: Headers): string {
  const isUsual = ([name, value]: Headers[number]): boolean =>
    usual.some((other) => other[0] === name && other[1] === value);
  const headers = all.filter((header) => !omittedHeaders.includes(header[0]) && !isUsual(header));
  const lines = headers.slice(0, mostHeaders).map(headerLine);
  const rest = headers.length - mostHeaders;
  const lacking = usual.filter(([name]) => !all.some(([other]) => other === name));
  return [
    ...lines,
    ...(rest > 0 ? [`… ${rest} more headers`] : []),
    ...lacking.map(([name]) => `(no ${name})`),
  ].join('\n');
}

/** The first line and the headers before a body. */
const headOf = (first: string, all: Headers, usual: Headers): string =>
  `${[first, headerText(all, usual)].filter((part) => part !== '').join('\n')}\n\n`;

/** The headers that more than half of these lists have, with the same value. */
function mostlyAlike(lists: readonly Headers[]): Headers {
  const counted = new Map<string, { readonly header: Headers[number]; readonly times: number }>();
  for (const header of lists.flatMap((headers) => [...headers])) {
    const line = headerLine(header);
    counted.set(line, { header, times: (counted.get(line)?.times ?? 0) + 1 });
  }
  const alike = [...counted.values()].filter(
    ({ header: [name], times }) => 2 * times > lists.length && !omittedHeaders.includes(name),
  );
  return alike.map(({ header }) => header);
}

/** The headers that most requests, and most replies, of a list of exchanges have alike. */
export const usualHeaders = (exchanges: readonly ReportExchange[]) => ({
  request: mostlyAlike(exchanges.map(({ request }) => Object.entries(request.headers))),
  reply: mostlyAlike(exchanges.flatMap(({ response }) => (response === null ? [] : [response.headers]))),
});

export type UsualHeaders = ReturnType<typeof usualHeaders>;

const none: UsualHeaders = { request: [], reply: [] };

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

/** The body of a request, one thing: it is laid out once. */
const bodyOf = oncePerObject(
  ({ body }: ReportExchange['request']): Body => ({
    text: body ?? '',
    encoding: 'utf8',
    bytes: 0,
    arrivals: [],
  }),
);

function requestBlock(context: Context, { request }: ReportExchange, usual: UsualHeaders): Block {
  const none: Inline = { is: 'aside', of: 'no body' };
  const body = request.body === null ? [{ text: none }] : bodyParts(bodyOf(request), [], context.limits.body);
  const head = headOf(`${request.method} ${request.url}`, Object.entries(request.headers), usual.request);
  return { kind: 'recorded', title: 'Request', parts: [{ text: head }, ...body] };
}

function replyBlock(
  context: Context,
  { id, response, ending, shortened }: ReportExchange,
  usual: UsualHeaders,
): Block {
  if (response === null) {
    const why = ending.kind === 'complete' ? '' : `, ${shorten(endingWords(ending), 300)}`;
    const text: Inline = { is: 'aside', of: `none: ${ending.kind}${why}` };
    return { kind: 'recorded', title: 'Reply', parts: [{ text }] };
  }
  const { status, headers, body } = response;
  const size = `${groupDigits(body.bytes)} bytes${shortened === true ? ', shortened; in full in evidence.jsonl' : ''}`;
  const text = bodyParts(body, context.pointers.get(id) ?? [], context.limits.body);
  return {
    kind: 'recorded',
    title: ['Reply ', small(size)],
    parts: [{ text: headOf(String(status), headers, usual.reply) }, ...text],
  };
}

const repeatsBlock = (context: Context, { repeats }: ReportExchange): Block | false =>
  repeats !== undefined &&
  quiet([
    'A control: repeats a valid request to see whether the target still answers, next to a request that may be refused: ',
    exchangeLinks(context, [repeats]),
    '.',
  ]);

/** An exchange as recorded, behind one line. `usual`: the headers that are told elsewhere. */
export function exchangeBlock(
  context: Context,
  exchange: ReportExchange,
  { isOpen = false, usual = none }: { readonly isOpen?: boolean; readonly usual?: UsualHeaders } = {},
): Block {
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
      {
        kind: 'columns',
        blocks: [requestBlock(context, exchange, usual), replyBlock(context, exchange, usual)],
      },
      repeatsBlock(context, exchange),
      ...attemptBlocks(exchange),
    ],
  };
}

/** Links to exchanges; the id of one that is not shown stays plain. */
export const exchangeLinks = (context: Context, ids: readonly string[]): Inline =>
  joined(ids.map((id) => (isShown(context, id) ? link(exchangeAnchor(id), id) : code(id))));

/** Links to the first of these exchanges, and how many more there are. */
export const firstLinks = (context: Context, ids: readonly string[], most: number): Inline => [
  exchangeLinks(context, ids.slice(0, most)),
  ids.length > most && ` and ${ids.length - most} more`,
];
