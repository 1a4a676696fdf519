import { count, groupDigits, shorten } from '../../spec/text.ts';
import type { ReportExchange } from '../../suites/types/report.ts';
import { endingWords, gaveUpWords, retryWords } from '../../suites/types/reasons/exchange-words.ts';
import { duration } from '../wording.ts';
import { bodyText } from './body.ts';
import { type Context, exchangeAnchor, linkTo } from './context.ts';
import { type Html, html } from './template.ts';
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

function attemptList({ attempts, ending }: ReportExchange): Html | null {
  if (attempts.length < 2 && ending.kind === 'complete') return null;
  const lines = attempts.map(({ status, ending: end, bytes, ms, waitedMs, retry, gaveUp }) => {
    const waited = waitedMs > 0 ? `after waiting ${duration(waitedMs)}: ` : '';
    const detail = end.kind === 'complete' ? '' : ` (${shorten(endingWords(end), 200)})`;
    const again = retry === undefined ? '' : `; sent again: ${shorten(retryWords(retry), 200)}`;
    const why = gaveUp === undefined ? again : `; not sent again: ${shorten(gaveUpWords(gaveUp), 200)}`;
    return html`<li>${waited}${status === null ? 'no status' : `status ${status}`}, ${end.kind}${detail}, ${groupDigits(bytes)} bytes in ${duration(ms)}${why}</li>`;
  });
  return html`<p class="tag">${count(attempts.length, 'attempt')}</p><ol class="tries">${lines}</ol>`;
}

function requestPart(context: Context, { request }: ReportExchange): Html {
  const headers = headerText(Object.entries(request.headers));
  const body =
    request.body === null
      ? html`<i>no body</i>`
      : bodyText({ text: request.body, encoding: 'utf8', bytes: 0, arrivals: [] }, [], context.limits.body);
  return html`<div><p class="tag">Request</p><pre>${request.method} ${request.url}
${headers}

${body}</pre></div>`;
}

function replyPart(context: Context, { id, response, ending, shortened }: ReportExchange): Html {
  if (response === null) {
    return html`<div><p class="tag">Reply</p><pre><i>none: ${ending.kind}${ending.kind === 'complete' ? '' : `, ${shorten(endingWords(ending), 300)}`}</i></pre></div>`;
  }
  const { status, headers, body } = response;
  const size = `${groupDigits(body.bytes)} bytes${shortened === true ? ', shortened; in full in evidence.jsonl' : ''}`;
  return html`<div><p class="tag">Reply <span>${size}</span></p><pre>${status}
${headerText(headers)}

${bodyText(body, context.pointers.get(id) ?? [], context.limits.body)}</pre></div>`;
}

const openMark = html` open`;

const repeatsLine = (context: Context, { repeats }: ReportExchange): Html | null =>
  repeats === undefined
    ? null
    : html`<p class="quiet">A control: repeats a valid request to see whether the target still answers, next to a request that may be refused: ${exchangeLinks(context, [repeats])}.</p>`;

/** An exchange as recorded: request, reply, arrivals and attempts, behind one line; unfolded where that is asked for. */
export function exchangeView(context: Context, exchange: ReportExchange, isOpen = false): Html {
  const { request } = exchange;
  const base = context.report.target.baseUrl;
  const path = request.url.startsWith(base) ? request.url.slice(base.length) : request.url;
  return html`<details class="x" id="${exchangeAnchor(exchange.id)}"${isOpen && openMark}><summary><code>${exchange.id}</code> <span>${request.method} ${shorten(path, 120)}</span> <b>${outcomeOf(exchange)}</b></summary>${timeline(exchange)}<div class="pair">${requestPart(context, exchange)}${replyPart(context, exchange)}</div>${repeatsLine(context, exchange)}${attemptList(exchange)}</details>
`;
}

/** Links to the first of these exchanges, and how many more there are. */
export const firstLinks = (context: Context, ids: readonly string[], most: number): Html =>
  html`${exchangeLinks(context, ids.slice(0, most))}${ids.length > most && ` and ${ids.length - most} more`}`;

/** Links to exchanges; an id that the report does not carry stays plain. */
export const exchangeLinks = (context: Context, ids: readonly string[]): Html[] =>
  ids.map((id, at) => {
    const comma = at === 0 ? '' : ', ';
    return context.exchanges.has(id)
      ? html`${comma}<a href="${linkTo(exchangeAnchor(id))}">${id}</a>`
      : html`${comma}<code>${id}</code>`;
  });
