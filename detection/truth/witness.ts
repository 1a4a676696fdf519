import { protocolFacts } from '../../spec/protocols.ts';
import { type Group, type Protocol, protocols } from '../../spec/vocabulary.ts';
import { authenticate } from '../../fixtures/gateway/authenticate.ts';
import { check } from '../../fixtures/gateway/check.ts';
import { type Console, defaultConsole, tokensOf } from '../../fixtures/gateway/console.ts';
import type { Context, Refusal, Reply } from '../../fixtures/gateway/context.ts';
import type { Hooks } from '../../fixtures/gateway/hooks.ts';
import { route } from '../../fixtures/gateway/route.ts';
import type { Subject } from '../detect.ts';

/** What the reference gateway would say to a request: `lawful` is answered, all else is what is wrong with it. */
type Worth = 'lawful' | 'credential' | 'version' | 'limit' | 'body' | 'route';

/** A request that a gateway got, with what it recognised and what it did. */
export interface Witnessed {
  readonly protocol: Protocol;
  readonly ctx: Context;
  readonly worth: Worth;
  /** The group of the token that stands where the endpoint takes it; null where none was issued. */
  readonly group: Group | null;
  /** Whether any header holds a token that was issued, as a word by itself. */
  readonly showsIssued: boolean;
  /** How the gateway refused it before any reply was changed; undefined where it did not. */
  readonly refusal: Refusal['kind'] | undefined;
  /** What the model said, in its pieces, before anything was made of it; empty where it was not asked. */
  readonly said: readonly string[];
  readonly reply: Reply;
}

export type Witness = ReturnType<typeof witness>;

/** By the steps of the reference gateway, whatever the hooks of this one make of them. */
function worthOf(ctx: Context, settings: Console): Pick<Witnessed, 'worth' | 'group'> {
  const tokens = new Map(tokensOf(settings).map((token) => [token.value, token]));
  const { problem, token } = authenticate(ctx, tokens);
  const group = token?.group ?? null;
  if (problem === 'no-version' || problem === 'other-version') return { worth: 'version', group };
  if (problem || token === null) return { worth: 'credential', group };
  if (token.requestsPerMinute !== undefined) return { worth: 'limit', group };
  if (check(ctx).length > 0) return { worth: 'body', group };
  return { worth: route({ ...ctx, token }).problem ? 'route' : 'lawful', group };
}

function showsIssued({ headers }: Context, settings: Console): boolean {
  const words = Object.values(headers).flatMap((value) => String(value).split(/[^\w-]+/));
  return tokensOf(settings).some(({ value }) => words.includes(value));
}

/** The same gateway, which writes down what it is asked and what it replies. */
export function witness(subject: Subject) {
  const settings = subject.console ?? defaultConsole();
  /** In the order of the replies. */
  const seen: Witnessed[] = [];
  /** Paths that are no endpoint of it. */
  const strayed: string[] = [];
  const refusals = new WeakMap<Context, Refusal['kind']>();
  const generated = new WeakMap<Context, readonly string[]>();
  const own = subject.hooks;
  const hooks: Hooks = {
    ...own,
    endpoint: (found, path) => {
      const protocol = own.endpoint ? own.endpoint(found, path) : found;
      if (protocol === null) strayed.push(path);
      return protocol;
    },
    generate: (plain, ctx, prompt) => {
      const generation = own.generate?.(plain, ctx, prompt) ?? plain;
      generated.set(ctx, generation.tokens);
      return generation;
    },
    refusal: (reply, ctx, refusal) => {
      refusals.set(ctx, refusal.kind);
      return own.refusal?.(reply, ctx, refusal) ?? reply;
    },
    reply: (plain, ctx) => {
      const reply = own.reply?.(plain, ctx) ?? plain;
      const { protocol } = ctx;
      const refusal = refusals.get(ctx);
      const worth = worthOf(ctx, settings);
      const said = generated.get(ctx) ?? [];
      seen.push({ protocol, ctx, ...worth, showsIssued: showsIssued(ctx, settings), refusal, said, reply });
      return reply;
    },
  };
  return { subject: { ...subject, hooks }, seen, strayed };
}

/** All texts that a request asks with. */
export function stringsIn({ ctx: { body, protocol } }: Witnessed): readonly string[] {
  const strings: string[] = [];
  const asked = [body[protocolFacts[protocol].content], body.system, body.instructions];
  JSON.stringify(asked, (_, value: unknown) => {
    if (typeof value === 'string') strings.push(value);
    return value;
  });
  return strings;
}

export const protocolAt = (path: string): Protocol | undefined =>
  protocols.find((protocol) => protocolFacts[protocol].path === path);

/** The body as the gateway means it, before any encoding. */
export const bodyOf = ({ reply: { pieces } }: Witnessed): string =>
  Buffer.concat(pieces.map(({ bytes }) => Buffer.from(bytes))).toString();

/** Members that a result or an event of the interface has, and an error has not (2.3 to 2.6, 6). */
const outputMembers: Readonly<Record<Protocol, RegExp>> = {
  responses: /"(output|output_text|delta)"/,
  messages: /"(content|text|delta)"/,
  chat: /"choices"/,
  images: /"data"/,
};

/** A page, or an error in place of a result. */
const noResult = /^\s*(<|\{\s*"(error"|type"\s*:\s*"error))/i;

/** Whether a reply has a member that holds output; a stream may come without any. */
export const hasOutput = (one: Witnessed): boolean => outputMembers[one.protocol].test(bodyOf(one));

export function isAnswered(one: Witnessed): boolean {
  const { reply, refusal } = one;
  if (reply.status < 200 || reply.status > 299 || reply.ending === 'dropped') return false;
  const body = bodyOf(one);
  if (body.trim() === '' || noResult.test(body)) return false;
  // What the pipeline refused is an answer only where a hook put one in its place.
  return refusal === undefined || hasOutput(one);
}
