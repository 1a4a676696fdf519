import { oncePer } from '../../../spec/once.ts';
import { isTextProtocol, type Protocol, type TextProtocol } from '../../../spec/vocabulary.ts';
import { longBody, longMinimal, plainStream, longOptional } from './bodies.ts';
import { secondCaller } from './callers.ts';
import type { PlannedRows } from '../combinations/row-requests.ts';
import { isSmoke, type RequestBuilder, type RequestOverrides } from './request-builder.ts';
import type { NonEmpty } from './attempts.ts';
import {
  acceptAnyId,
  afterId,
  cellId,
  longId,
  onlyStreamIds,
  plainId,
  plainStreamId,
} from '../../types/request-ids.ts';
import { numberMark } from '../../types/numbered.ts';
import { elements, valueAt } from '../../reading/json.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import type { Combination, Setting } from '../../types/combination.ts';
import { signInWords, signsOf } from '../../types/text-differences.ts';
import { contentAccepted, promptSetting } from '../combinations/text-factors.ts';
import { valueSetting } from '../combinations/row-settings.ts';

const signSetting = (protocol: TextProtocol, sign: string): Setting =>
  promptSetting(
    `sign-${(sign.codePointAt(0) ?? 0).toString(16)}`,
    `${signInWords(sign)} in its text`,
    [contentAccepted(protocol)],
    { sign },
  );

const optionalSettings = (protocol: TextProtocol): readonly Setting[] =>
  Object.entries(longOptional(protocol)).map(([name, value]) => valueSetting(protocol, name, value));

/** What breaks where such a request is refused. */
export const signsRequirements = (protocol: TextProtocol): readonly string[] => [
  contentAccepted(protocol),
  ...optionalSettings(protocol).flatMap(({ requirements }) => requirements),
];

/** A request for a text: its optional parameters and the signs of the text can be left out of it. */
function signsCombination(protocol: TextProtocol, text: string): Combination {
  const { content } = protocolFacts[protocol];
  const { [content]: asked, ...base } = longMinimal(protocol, text);
  const question = typeof asked === 'string' ? asked : lastContent(asked);
  return {
    base,
    content,
    isListed: typeof asked !== 'string',
    question,
    settings: [
      ...optionalSettings(protocol),
      ...signsOf(question).map((sign) => signSetting(protocol, sign)),
    ],
  };
}

function lastContent(turns: unknown): string {
  const text = valueAt(elements(turns).at(-1), '/content');
  return typeof text === 'string' ? text : '';
}

/** The long text with room for a number amid it. */
export const markedText = ({ data }: Pick<RequestBuilder, 'data'>): string =>
  data.longText.replace('. ', ` ${numberMark}. `);

const digits = /\d{5}$/;

/** The long text with a random number amid it: a reply kept for another one shows by these digits alone (principle 13). */
export function ownText(builder: Pick<RequestBuilder, 'data'>) {
  const marked = markedText(builder);
  const [number = ''] = digits.exec(builder.data.nonce()) ?? [];
  return { text: marked.replace(numberMark, number), says: [marked] as const };
}

/** Its first sentence, which holds the number. */
export const firstSentence = (text: string): string => text.slice(0, text.indexOf('.'));

/** Sent only where none of these is answered; where there are none, in any case. */
export const instead = (of: readonly string[]): Pick<RequestOverrides, 'standsFor' | 'billed'> =>
  of.length > 0 ? { standsFor: of, billed: 0 } : {};

/** Requests that many cases have in common: each plans one, once, and gives its id; some stand in for rows. */
export function sharedRequests(
  { send, cells, callers, data, depth }: RequestBuilder,
  rows: (protocol: TextProtocol) => PlannedRows,
) {
  const smoke = isSmoke(depth);
  /**
   * The shortest request for a long reply, with an Accept header that allows every type, which asks for no stream all the
   * same. It goes last: answered it shows, too, that a valid request still is, and what the last text looks like.
   */
  const acceptAny = oncePer((protocol: TextProtocol) => {
    const { text, says } = ownText({ data });
    const request = { json: longMinimal(protocol, text), says, accept: '*/*' };
    return send(acceptAnyId(protocol), protocol, { ...request, expect: 'either', stage: 'after' });
  });
  const streamed = oncePer((protocol: TextProtocol) => {
    const streams = rows(protocol).rows.filter(({ stream }) => stream);
    const request = { json: plainStream(protocol), ...instead(streams.map(({ id }) => id)) };
    return send(plainStreamId(protocol), protocol, request);
  });
  /** The control of most cases: the smallest request that is answered, else one that declines the stream, too. */
  const control = oncePer((protocol: Protocol) =>
    send(plainId(protocol), protocol, {
      stage: smoke ? 'after' : 'discovery',
      when: [{ kind: 'recorded', all: cells(protocol) }],
      ...(smoke ? {} : instead(cells(protocol))),
    }),
  );
  return {
    acceptAny,
    streamed,
    control,
    /** A stream, where nothing is answered that asks for none: some proxies serve nothing else. Images have none. */
    onlyStream: oncePer((protocol: Protocol): readonly string[] => {
      if (!isTextProtocol(protocol)) return [];
      const all = [...cells(protocol), ...(smoke ? [] : [control(protocol)])];
      const asked = { json: plainStream(protocol), callers: callers(protocol).slice(0, 1) };
      const when = [{ kind: 'unanswered', all }] as const;
      return onlyStreamIds(protocol).map((id) =>
        send(id, protocol, { ...asked, stage: 'discovery', when, billed: 0 }),
      );
    }),
    /** What shows, before a request that must be refused, that a valid one is answered. */
    controls: (protocol: Protocol): readonly string[] => (smoke ? cells(protocol) : [control(protocol)]),
    /**
     * The control once more, after everything that may have upset the target. In `smoke` the only one: there the cells are
     * the controls before, which are sent anyway. A refusal still rests on a valid request before and one afterwards
     * (principle 4), and the latter differs from it in nothing but what is wrong.
     */
    after: oncePer((protocol: Protocol) => {
      if (smoke) return control(protocol);
      const others = isTextProtocol(protocol) ? [acceptAny(protocol)] : [];
      return send(afterId(protocol), protocol, { stage: 'after', ...instead(others) });
    }),
    /** Controls of streams with the second family first: its callers' plain streams, then that of the first caller. */
    streams(protocol: TextProtocol): NonEmpty<string> {
      const ofBoth = secondCaller(protocol) ? [...callers(protocol)].reverse() : [];
      const [first, ...others] = ofBoth.map((caller) => cellId(caller, protocol, true));
      const ofFirst = streamed(protocol);
      return first === undefined ? [ofFirst] : [first, ...others, ofFirst];
    },
    /** A request whose reply is long: a text to repeat. */
    long: oncePer((protocol: TextProtocol) => {
      const { text, says } = ownText({ data });
      const combination = signsCombination(protocol, text);
      return send(longId(protocol), protocol, { json: longBody(protocol, text), says, combination });
    }),
  };
}
