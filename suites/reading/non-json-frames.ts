import { type Frame, frameText } from './frames.ts';
import { parseJson } from './json.ts';

// What stands in the frames of a stream that is no JSON and need not be: the framing, the terminator (6.2)
// and the events of Messages (6.1) are not shown.

/** Some gateways glue a comment to it. */
const sentinel = /^\s*"?(\[(?:DONE|END|EOF|STOP)\])|^\s*(DONE)\s*$/i;
const keepAlive = /^(?:ping|heart-?_?beat|keep-?_?alive)$/i;
const endName = /^(?:.*[._-])?(?:done|end(?:ed)?|closed?|stop(?:ped)?|finish(?:ed)?|completed?)$/i;
/** One word such as `end` or `<|end|>`, or one in brackets. */
const mark = /^\s*(?:[^\s{}[\]"']{1,40}|\[[A-Za-z_-]{1,40}\])\s*$/;

/** The known terminator that a text is; bracketed ones alone where the text may as well be that of the reply. */
export function sentinelOf(text: string, bracketedOnly = false): string | undefined {
  const [, bracketed, bare] = sentinel.exec(text) ?? [];
  return bracketed ?? (bracketedOnly ? undefined : bare);
}

export const isBracketedPing = (text: string): boolean =>
  keepAlive.test(/^\s*\[(.*)\]\s*$/.exec(text)?.[1] ?? '');

const isPing = ({ name }: Frame, text: string): boolean =>
  keepAlive.test(name ?? '') || keepAlive.test(text.trim()) || isBracketedPing(text);
/** It sets out to be JSON. */
const isMeant = (text: string): boolean => /^\s*[{[]/.test(text);

/** What a frame is whose data is no JSON; null where it ought to be. */
export type NonJson = 'text' | 'keep-alive' | 'terminator' | 'notice' | null;

/**
 * Tells what the frames of a stream are whose data is no JSON.
 * @param bareText whether data may be the text of the reply itself
 */
export function nonJsonFrames(frames: readonly Frame[], bareText: boolean): (frame: Frame) => NonJson {
  const said = frames
    .map((frame) => ({ frame, text: frameText(frame) }))
    .filter(
      ({ frame, text }) => text.trim() !== '' && !isPing(frame, text) && sentinelOf(text) === undefined,
    );
  const last = said.at(-1)?.frame;
  const json = new Set(said.flatMap(({ frame, text }) => (isMeant(text) ? [frame.name] : [])));
  const isEnd = (frame: Frame, text: string): boolean => {
    if (frame !== last || said.length < 2) return false;
    const { name } = frame;
    if (name !== null && endName.test(name) && !/[{[]/.test(text)) return true;
    return mark.test(text) && (json.has(name) || (name === null && json.size > 0));
  };
  const isNotice = ({ name }: Frame, text: string): boolean =>
    name !== null && name !== 'error' && json.size > 0 && !json.has(name) && !/[{[]/.test(text);

  /** Under these names stands bare text: not all is JSON, and not even half of it sets out to be. */
  const bare = new Set<string | null>();
  const open = (bareText ? said : []).filter(
    ({ frame, text }) => !isMeant(text) && !isEnd(frame, text) && !parseJson(text).ok,
  );
  /** How many more frames of a name set out to be text than to be JSON. */
  const lead = new Map<string | null, number>();
  for (const { frame, text } of said) {
    lead.set(frame.name, (lead.get(frame.name) ?? 0) + (isMeant(text) ? -1 : 1));
  }
  for (const { frame } of open) if ((lead.get(frame.name) ?? 0) > 0) bare.add(frame.name);
  return (frame) => {
    const text = frameText(frame);
    if (bare.has(frame.name)) return 'text';
    if (frame.stray === true) return null;
    if (isPing(frame, text)) return 'keep-alive';
    if (isEnd(frame, text)) return 'terminator';
    return isNotice(frame, text) ? 'notice' : null;
  };
}
