import { signInWords, signsOf } from '../../suites/types/text-differences.ts';
import {
  lawfulCallers,
  firstUntrue,
  type Holds,
  ofEndpoint,
  statusIn,
  type Untrue,
  type Known,
} from './experiments.ts';
import { lawfulOn } from './endpoints.ts';
import { modelOf, type Question } from './requests.ts';
import { isAnswered, stringsIn, type Witnessed } from './witness.ts';

/** What a request has that is refused, as its sentence names it, and how to ask with it. */
interface Named {
  readonly has: (one: Witnessed) => boolean;
  /** Undefined where the oracle can't make one up. */
  readonly question: Pick<Question, 'more' | 'text'> | undefined;
  /** False where the sentence names something that only the plan has a name for. */
  readonly isAll?: boolean;
}

/** A value of a sentence may be cut. */
const valueShown = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? '';

/** One thing of a refused request, as it stands between "and" and "and". */
function oneNamed(part: string, known: Known): Named | undefined {
  if (part === 'without a stream')
    return { has: ({ ctx }) => ctx.body.stream !== true, question: { more: { stream: undefined } } };
  const left = /^without `(\w+)`$/.exec(part)?.[1];
  if (left !== undefined)
    return { has: ({ ctx }) => !(left in ctx.body), question: { more: { [left]: undefined } } };
  const [, name, shown] = /^with `(\w+)`(?: = (.*))?$/s.exec(part) ?? [];
  if (name !== undefined) {
    const has = ({ ctx }: Witnessed): boolean =>
      name in ctx.body && (shown === undefined || valueShown(ctx.body[name]) === shown);
    const value = known.witness.seen.find((one) => one.worth === 'lawful' && has(one))?.ctx.body[name];
    // An id of another run names nothing on a fresh gateway.
    const isId = name === 'previous_response_id';
    return { has, question: isId || value === undefined ? undefined : { more: { [name]: value } } };
  }
  const sign = signsOf(known.witness.seen.map((one) => textsOf(one)).join('')).find(
    (each) => part === `with ${signInWords(each)} in its text`,
  );
  if (sign === undefined) return undefined;
  return { has: (one) => textsOf(one).includes(sign), question: { text: `Please say hello ${sign} again.` } };
}

/** All that a sentence names; what only a plan has a name for, such as turns, can't be told from outside. */
function namedIn(sentence: string, known: Known): Named {
  const [, what = ''] = /refuses a valid request (.*?)(?: \(HTTP \d+\))?: \d+ of/s.exec(sentence) ?? [];
  const parts = what.split(/ and (?=with |without |for |of )/).map((part) => oneNamed(part, known));
  const told = parts.flatMap((part) => part ?? []);
  const isAll = told.length === parts.length && told.every(({ question }) => question);
  return {
    has: (one) => told.every((part) => part.has(one)),
    isAll: told.length === parts.length,
    question: isAll
      ? {
          more: Object.assign({}, ...told.map(({ question }) => question?.more)) as Question['more'] & object,
          ...told.map(({ question }) => question).find((question) => question?.text),
        }
      : undefined,
  };
}

const textsOf = (one: Witnessed): string => stringsIn(one).join(' ');

/** "3 of 3 such requests are refused, and 0 of 41 others": within what the gateway got and did. */
function countsHold(sentence: string, lawful: readonly Witnessed[], { has, isAll }: Named): Untrue {
  const figures = /: (\d+) of (\d+) such requests (?:are refused|get none), and (\d+) of (\d+) others/.exec(
    sentence,
  );
  if (!figures) return 'names no figures';
  const [seen = 0, of = 0, otherSeen = 0, otherOf = 0] = figures.slice(1).map(Number);
  const those = lawful.filter(has);
  const others = lawful.filter((one) => !has(one));
  const refused = (all: readonly Witnessed[]): number => all.filter((one) => !isAnswered(one)).length;
  const isMore = otherOf === 0 || seen * otherOf > otherSeen * of;
  if (!isAll)
    return firstUntrue(
      [seen > 0 && seen <= refused(those), 'it refused fewer'],
      [isMore, 'others are refused as often'],
    );
  return firstUntrue(
    [seen > 0 && seen <= refused(those), `the gateway refused ${refused(those)} of ${those.length} such`],
    [of - seen <= those.length - refused(those), `it answered ${those.length - refused(those)} such`],
    [seen < of || refused(those) === those.length, `it answered ${those.length - refused(those)} such`],
    [otherSeen <= refused(others), `it refused ${refused(others)} of ${others.length} others`],
    [
      otherOf - otherSeen <= others.length - refused(others),
      `it answered ${others.length - refused(others)} others`,
    ],
    [isMore, 'others are refused as often'],
  );
}

/** A request with it is refused, and the same one without it is answered. */
async function isFactor(protocol: Question['protocol'], known: Known, { question }: Named): Promise<Untrue> {
  if (question === undefined) return undefined;
  const { experiments } = known;
  const callers = lawfulCallers(protocol).filter(({ family }) => modelOf(experiments.settings, family));
  for (const caller of callers) {
    const [plain] = await experiments.askAgain({ protocol, ...caller }, 1);
    const isLeftOut = Object.values(question.more ?? {}).some((value) => value === undefined);
    const without = isLeftOut ? await withIt(protocol, caller, question, known) : plain;
    if (!without?.isAnswered) continue;
    const tried = await experiments.askAgain({ protocol, ...caller, ...question });
    if (tried.some((outcome) => !outcome.isAnswered)) return undefined;
  }
  return 'a simple request with it is answered as well, or one without it is not';
}

/** The control of a request that leaves something out has it, as some request of the run did. */
async function withIt(
  protocol: Question['protocol'],
  caller: Pick<Question, 'family' | 'group'>,
  { more = {} }: Pick<Question, 'more'>,
  known: Known,
) {
  const [name = ''] = Object.keys(more);
  const value = lawfulOn(known, protocol).find((one) => isAnswered(one) && name in one.ctx.body)?.ctx.body[
    name
  ];
  return known.experiments.ask({ protocol, ...caller, more: { [name]: value } });
}

const refuses = ofEndpoint(async (protocol, sentence, known) => {
  const named = namedIn(sentence, known);
  const status = statusIn(sentence);
  const lawful = lawfulOn(known, protocol);
  const refused = lawful.filter((one) => named.has(one) && !isAnswered(one));
  return (
    firstUntrue([
      status === undefined || refused.some(({ reply }) => reply.status === status),
      `none such is refused by ${status}`,
    ]) ??
    countsHold(sentence, lawful, named) ??
    isFactor(protocol, known, named)
  );
});

/** Sentences about valid requests that are refused for what they have. */
export const ofRefusals = {
  'parameter-not-supported': refuses,
  'text-refused': refuses,
} as const satisfies Readonly<Record<string, Holds>>;
