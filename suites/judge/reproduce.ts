import { inJson } from '../../spec/json.ts';
import { type EvidenceView, requestAt, takenFrom } from '../checks/evidence-view.ts';
import type { FromReply } from '../types/template.ts';
import type { Failure } from '../types/finding.ts';
import { takenOver } from '../types/plan.ts';
import { lastOf } from '../checks/shared/findings.ts';
import { turnReader } from '../facts/sent-requests.ts';
import { repeatedSentences } from '../../spec/text.ts';
import type { SentRequest } from '../types/exchange.ts';

/** Headers that curl sets by itself, or that only matter to the connection. */
const own = new Set(['host', 'connection', 'content-length', 'accept-encoding', 'user-agent']);

const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The placeholder of a credential: its variable, less some characters at an end, or in the other case; nothing else. */
const filled = /(\$\{\w+(?:[%#]\?+)?\}|\$\(printf %s "\$\{\w+\}" \| tr a-zA-Z A-Za-z\))/;

/** More signs than this are counted in place of being shown. */
const mostMarks = 8;

/** A placeholder as people write it. */
function readable(placeholder: string, after = ''): string {
  const [, variable = '', side, marks = ''] = /^\$\{(\w+)(?:([%#])(\?+))?\}$/.exec(placeholder) ?? [];
  if (variable === '') return placeholder;
  if (side === undefined) return /^\w/.test(after) ? placeholder : `$${variable}`;
  const cut = `.\\{${marks.length}\\}`;
  return marks.length > mostMarks
    ? `$(printf %s "$${variable}" | sed 's/${side === '#' ? `^${cut}` : `${cut}$`}//')`
    : placeholder;
}

/** Double quotes where a credential is to be filled in from the environment, single ones otherwise. */
function quoted(text: string): string {
  const parts = text.split(filled);
  if (parts.length === 1) return single(text);
  const escaped = parts.map((part, at) =>
    at % 2 === 1 ? readable(part, parts[at + 1]) : part.replace(/["\\`$]/g, '\\$&'),
  );
  return `"${escaped.join('')}"`;
}

interface Manner {
  /** What of the body is not sent as it was, but as the variable ID holds it. */
  readonly id?: string;
  /** Only the body is printed, for a program to read. */
  readonly bodyOnly?: true;
}

/** A repeated text of fewer characters is written out. */
const shortestLoop = 200;

/** A text in quotes, in which the shell repeats a sentence that follows itself; it drops line breaks at an end. */
function repeating(text: string): string {
  const shown: string[] = [];
  let plain = '';
  for (const { sentence, times } of repeatedSentences(text)) {
    if (times === 1 || sentence.length * times < shortestLoop || sentence.endsWith('\n'))
      plain += sentence.repeat(times);
    else {
      const loop = `"$(for i in $(seq ${times}); do printf %s ${single(sentence)}; done)"`;
      shown.push(...(plain === '' ? [] : [single(plain)]), loop);
      plain = '';
    }
  }
  return [...shown, ...(plain === '' && shown.length > 0 ? [] : [single(plain)])].join('');
}

/** The body in quotes, with the variable ID where `id` stood. */
const data = (body: string, id: string | undefined): string =>
  (id ? body.split(inJson(id)) : [body]).map(repeating).join('"$ID"');

/** A command that sends a recorded request again, with each token as an environment variable. */
export function curl({ method, url, headers, body }: SentRequest, { id, bodyOnly }: Manner = {}): string {
  const shown = Object.entries(headers).filter(([name]) => !own.has(name.toLowerCase()));
  const parts = [
    `curl -sS ${bodyOnly ? '' : '-i '}--compressed -X ${method} ${single(url)}`,
    // With a colon and nothing behind it, curl would leave the header out.
    ...shown.map(([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${data(body, id)}`]),
  ];
  return parts.join(' \\\n  ');
}

/** What a request takes over from an earlier reply. */
function earlier(view: EvidenceView, id: string): FromReply | undefined {
  const request = requestAt(view, id);
  return request && takenOver(request)[0];
}

/** What a request waits for of another branch, which is chained on the same reply: without it nothing could be mixed up. */
function otherBranch(view: EvidenceView, id: string, root: string): readonly string[] {
  const awaited = (view.request(id)?.when ?? []).flatMap((condition) =>
    condition.kind === 'answered' ? condition.any : condition.kind === 'recorded' ? condition.all : [],
  );
  return [...new Set(awaited)].filter((other) => earlier(view, other)?.exchange === root);
}

/** The exchanges that one is chained on, the first of them first, each with the other branch that began at it. */
export function chainOf(view: EvidenceView, id: string): readonly string[] {
  const before = earlier(view, id)?.exchange;
  return before === undefined ? [] : [...chainOf(view, before), before, ...otherBranch(view, id, before)];
}

/** Whether a failure shows only right behind a stream or a refused request. */
export function isBehindOnly({ reason, separation }: Partial<Failure>): boolean {
  if (reason?.kind === 'text-differs') return reason.by === 'after-refusal' || reason.by === 'after-stream';
  return separation?.traits.some(({ kind }) => kind === 'after') ?? false;
}

/** What was sent before a reply that shows a failure: where its words are in it, it got the same refusal, or it shows behind it alone. */
function sentBefore(view: EvidenceView, id: string, failure: Partial<Failure>): readonly string[] {
  if (failure.reason?.kind === 'reply-of-another') return [failure.reason.other];
  if (failure.reason?.kind === 'class-indistinguishable') return [failure.reason.like];
  if (!isBehindOnly(failure)) return [];
  const readTurn = turnReader(view);
  const last = readTurn(lastOf(view.state(id), id))?.before;
  // Of one that was sent several times in turn, what came before the first.
  const before = last === id ? readTurn({ id, attempt: 0 })?.before : last;
  return before === undefined ? [] : [before];
}

/** Commands that send an exchange again, behind those that it is chained on, whose ids may not live long. Undefined: it was not sent. */
export function reproduce(view: EvidenceView, last: string, failure: Partial<Failure> = {}) {
  const steps = [
    ...new Set([...sentBefore(view, last, failure), last].flatMap((id) => [...chainOf(view, id), id])),
  ];
  const name = (at: number): string => (steps.length > 1 ? `# ${at + 1} of ${steps.length}\n` : '');
  const commands = steps.flatMap((step, at) => {
    const { exchange } = view.state(step);
    if (exchange === undefined) return [];
    const before = earlier(view, step);
    const id = before && takenFrom(view, before);
    const manner = id === undefined ? {} : { id };
    const isTaken = steps.some((later) => earlier(view, later)?.exchange === step);
    if (!isTaken) return [name(at) + curl(exchange.request, manner)];
    return [`${name(at)}ID=$(${curl(exchange.request, { ...manner, bodyOnly: true })} | jq -r .id)`];
  });
  return commands.length === steps.length ? commands.join('\n') : undefined;
}
