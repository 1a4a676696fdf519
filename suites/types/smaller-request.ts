import { isDeepStrictEqual } from 'node:util';
import { parameters } from '../../spec/openapi.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import { acceptOf } from './accept.ts';
import type { PlannedRequest } from './plan.ts';
import { isHole, type Template } from './template.ts';

/**
 * One part that is left out of a request: `member:NAME`, `header:NAME`, all turns before the last (`turns`) or but the last
 * ones (`turns:NUMBER`), the texts of those before it (`brief-turns`), turns of role `system`, the texts of these
 * (`brief-system`), the `list` around a single message, or words: `words:FROM-TO,FROM-TO` keeps these of the last message, `brief` puts few
 * others in their place, `brief:NAME` in that of a member.
 */
export type Cut = string;

type Members = Readonly<Record<string, Template>>;

const [brief, briefTurn] = ['Say hello.', 'Hi'] as const;
const isList = (template: Template | undefined): template is readonly Template[] => Array.isArray(template);
/** The members of an object; none where it is anything else. */
const membersIn = (template: Template | undefined): Members =>
  typeof template === 'object' && template !== null && !isList(template) && !isHole(template)
    ? (template as Members)
    : {};

const membersOf = ({ body }: PlannedRequest): Members => membersIn(body?.json);

const contentOf = (request: PlannedRequest): Template | undefined =>
  membersOf(request)[protocolFacts[request.protocol].content];

const isSystem = (turn: Template): boolean => membersIn(turn).role === 'system';

function lastText(request: PlannedRequest): string | undefined {
  const content = contentOf(request);
  const last = isList(content) ? content.at(-1) : content;
  const text = typeof last === 'string' ? last : membersIn(last).content;
  return typeof text === 'string' ? text : undefined;
}

const wordsIn = (text: string): readonly string[] => text.split(/(?<=\s)/);

export const turnsIn = (request: PlannedRequest): number => {
  const content = contentOf(request);
  return isList(content) ? content.length : 1;
};

/** The cut that keeps words of the last message, given by their places in order. */
export function keptWords(places: readonly number[]): Cut {
  const starts = places.filter((place) => !places.includes(place - 1));
  const ends = places.filter((place) => !places.includes(place + 1));
  return `words:${starts.map((start, at) => `${start}-${(ends[at] ?? start) + 1}`).join(',')}`;
}

export const lastWords = (request: PlannedRequest): number => wordsIn(lastText(request) ?? '').length;

function withLastText(content: Template | undefined, change: (text: string) => string): Template | undefined {
  if (typeof content === 'string') return change(content);
  if (!isList(content)) return content;
  const last = membersIn(content.at(-1));
  return typeof last.content === 'string'
    ? [...content.slice(0, -1), { ...last, content: change(last.content) }]
    : content;
}

const withBrief = (turns: readonly Template[], isChanged: (turn: Template, at: number) => boolean) =>
  turns.map((turn, at) =>
    isChanged(turn, at) && typeof membersIn(turn).content === 'string'
      ? { ...membersIn(turn), content: briefTurn }
      : turn,
  );

function cutContent(content: Template | undefined, cut: Cut): Template | undefined {
  if (cut === 'brief') return withLastText(content, () => brief);
  const ranges = /^words:([\d,-]+)$/
    .exec(cut)?.[1]
    ?.split(',')
    .map((range) => range.split('-').map(Number));
  if (ranges)
    return withLastText(content, (text) =>
      ranges.flatMap(([from, to]) => wordsIn(text).slice(from, to)).join(''),
    );
  if (!isList(content)) return content;
  const [, number] = /^turns:(\d+)$/.exec(cut) ?? [];
  if (number !== undefined) {
    const last = content.length - Number(number);
    // A dialogue begins with the user.
    const from = content.findLastIndex((turn, at) => at <= last && membersIn(turn).role === 'user');
    return content.filter((turn, at) => isSystem(turn) || at >= from);
  }
  if (cut === 'brief-turns')
    return withBrief(content, (turn, at) => !isSystem(turn) && at < content.length - 1);
  if (cut === 'brief-system') return withBrief(content, isSystem);
  if (cut === 'turns') return content.filter((turn, at) => isSystem(turn) || at === content.length - 1);
  if (cut === 'system') return content.filter((turn) => !isSystem(turn));
  return cut === 'list' && content.length === 1 ? (membersIn(content[0]).content ?? content) : content;
}

const without = <Value>(all: Readonly<Record<string, Value>>, names: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !names.has(name)));

const namesIn = (cuts: readonly Cut[], kind: string): ReadonlySet<string> =>
  new Set(cuts.flatMap((cut) => (cut.startsWith(`${kind}:`) ? [cut.slice(kind.length + 1)] : [])));

/** The id of a request less these parts, sent the so-manieth time; of the whole, without any. */
export const smallerId = (of: string, cuts: readonly Cut[], time: number): string =>
  `${of}.less.${cuts.length === 0 ? 'nothing' : [...cuts].sort().join('+')}${time === 1 ? '' : `.${time}`}`;

export function smallerRequest(request: PlannedRequest, cuts: readonly Cut[]): PlannedRequest {
  const { says: _, isCompared: __, combination: ___, standsFor: ____, ...whole } = request;
  if (cuts.length === 0) return { ...whole, when: [] };
  const { content } = protocolFacts[request.protocol];
  const members = without(membersOf(request), namesIn(cuts, 'member'));
  const asked = cuts.reduce(cutContent, members[content]);
  const short = [...namesIn(cuts, 'brief')].filter((name) => name in members).map((name) => [name, brief]);
  const json: Template = {
    ...members,
    ...Object.fromEntries(short),
    ...(asked === undefined ? {} : { [content]: asked }),
  };
  const stream = request.stream && 'stream' in members;
  const isStreamKept = stream === request.stream;
  const headers = without(request.headers ?? {}, namesIn(cuts, 'header'));
  return {
    ...whole,
    headers,
    ...(isStreamKept ? {} : { accept: acceptOf(stream) }),
    body: request.body && { ...request.body, json },
    stream,
    when: [],
  };
}

/** A longer value of a member may be put in few words. */
const longestMember = 40;

const isTakenOver = (member: Template | undefined): boolean =>
  member !== undefined && isHole(member) && member.$ === 'reply';

/** Names of members that are the same in a request and in one that it is compared with, whichever reply they take over. */
const isAlike = (one: Members, other: Members | undefined, name: string): boolean =>
  other === undefined ||
  isDeepStrictEqual(one[name], other[name]) ||
  (isTakenOver(one[name]) && isTakenOver(other[name]));

/** The shape of a message, whatever it says. */
const shapeOf = (content: Template | undefined): string =>
  JSON.stringify(content, (name, value: unknown) =>
    typeof value === 'string' && name !== 'role' ? value !== '' : value,
  );

/** The parts of a request that may be left out, and the members that may be put in few words. */
export type Parts = ReturnType<typeof cutsOf>;

/** What can be left out of a request so that it is still what the interface says of it, and differs from its control in no more. */
export function cutsOf(
  request: PlannedRequest,
  control: PlannedRequest | undefined,
  keeps: readonly string[],
) {
  const [own, other] = [membersOf(request), control && membersOf(control)];
  const { content } = protocolFacts[request.protocol];
  const required = parameters(request.protocol).filter((parameter) => parameter.required);
  const kept = new Set([...required.map(({ name }) => name), content, ...keeps]);
  const free = Object.keys(own).filter((name) => !kept.has(name) && isAlike(own, other, name));
  const headers = Object.entries(request.headers ?? {}).filter(
    ([name, value]) => control === undefined || control.headers?.[name] === value,
  );
  const asked = contentOf(request);
  const isFree = control === undefined || shapeOf(asked) === shapeOf(contentOf(control));
  const turns = isList(asked) && isFree ? asked : [];
  const ofSystem = turns.filter(isSystem).length;
  const long = free.filter((name) => typeof own[name] === 'string' && own[name].length > longestMember);
  return {
    words: long,
    left: [
      ...(turns.length - ofSystem > 1 ? ['turns', 'brief-turns'] : []),
      ...(ofSystem > 0 ? ['system', 'brief-system'] : []),
      ...free.map((name) => `member:${name}`),
      ...headers.map(([name]) => `header:${name}`),
      ...(turns.length > 0 && request.protocol === 'responses' ? ['list'] : []),
      ...(isFree && (lastText(request) ?? '').length > brief.length ? ['brief'] : []),
    ],
  };
}
