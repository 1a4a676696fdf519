import { groupsServed } from '../../fixtures/gateway/route.ts';
import { type Family, families, groups, type Protocol } from '../../spec/vocabulary.ts';
import {
  type Experiments,
  lawfulCallers,
  type Outcome,
  endpointsIn,
  firstUntrue,
  type Holds,
  type Known,
  ofEndpoint,
  sentenceOf,
  statusIn,
} from './experiments.ts';
import { modelOf, mustBeServed, type Question } from './requests.ts';
import { isAnswered, type Witnessed } from './witness.ts';

const inventedToken = 'sk-oracle-never-issued-0000000000000000';
const inventedModel = 'oracle-model-of-no-catalogue';

/** Of a cell that a console refuses: whether the interface has it served, by any group where it names none. */
function isRefusedWhereServed({ protocol, ctx, group, worth }: Witnessed, { experiments }: Known): boolean {
  const { family } = ctx;
  const due = mustBeServed.find((cell) => cell.protocol === protocol && cell.family === family);
  if (worth !== 'route' || family === null || due === undefined) return false;
  const served = groupsServed(experiments.settings, family, protocol);
  return due.group === 'any' ? served.length === 0 : due.group === group;
}

/** What the gateway of the run got on an endpoint and had to answer. */
export const lawfulOn = (known: Known, protocol: Protocol): readonly Witnessed[] =>
  known.witness.seen.filter(
    (one) => one.protocol === protocol && (one.worth === 'lawful' || isRefusedWhereServed(one, known)),
  );

/** Each caller of an endpoint with a model in this catalogue, asked once. */
async function simply(protocol: Protocol, experiments: Experiments, more = {}): Promise<readonly Outcome[]> {
  const callers = lawfulCallers(protocol).filter(({ family }) => modelOf(experiments.settings, family));
  return Promise.all(callers.map((caller) => experiments.ask({ protocol, ...caller, more })));
}

const endpointAbsent = ofEndpoint(async (protocol, sentence, { experiments }) => {
  const [caller] = lawfulCallers(protocol);
  if (caller === undefined) return 'names no endpoint';
  const valid = await simply(protocol, experiments);
  const wrong = await experiments.ask({ protocol, ...caller, more: { model: undefined } });
  const invented = await experiments.ask({ protocol, ...caller, token: inventedToken });
  const words = new Set([...valid, wrong, invented].map((outcome) => outcome.words));
  return firstUntrue(
    [words.size === 1, `${words.size} different replies there`],
    [valid.every((outcome) => !outcome.isAnswered), 'a valid request is answered'],
    [statusIn(sentence) === valid[0]?.status, `the status is ${valid[0]?.status}`],
  );
});

const endpointUnanswered = ofEndpoint(async (protocol, sentence, known) => {
  const lawful = lawfulOn(known, protocol);
  const stopped = /answered (\d+) valid requests?, and then none of (\d+)/.exec(sentence);
  if (stopped) {
    const since = lawful.length - 1 - lawful.findLastIndex(isAnswered);
    const [answered, unanswered] = stopped.slice(1).map(Number);
    return firstUntrue(
      [lawful.filter(isAnswered).length >= (answered ?? 0), 'fewer valid requests were answered'],
      [since >= (unanswered ?? 0), `the last ${since} valid requests were not answered`],
    );
  }
  const refused = Number(/: (\d+) were refused/.exec(sentence)?.[1]);
  const valid = await simply(protocol, known.experiments);
  return firstUntrue(
    [!lawful.some(isAnswered), 'the run has a valid request that is answered'],
    [!valid.some((outcome) => outcome.isAnswered), 'a simple request is answered'],
    // Of an endpoint that is elsewhere the gateway knows the path alone.
    [
      refused <= lawful.length + known.witness.strayed.length,
      `only ${lawful.length} valid requests were sent`,
    ],
    [hasStatus(known, protocol, statusIn(sentence)), `no valid request got that status`],
  );
});

const hasStatus = (known: Known, protocol: Protocol, status: number | undefined): boolean =>
  status === undefined ||
  known.witness.strayed.length > 0 ||
  lawfulOn(known, protocol).some((one) => one.reply.status === status);

/** A token that is right was refused as if it were wrong. */
const tokenRefused = ofEndpoint((protocol, sentence, known) => {
  const refused = lawfulOn(known, protocol).filter((one) => !isAnswered(one));
  const status = statusIn(sentence);
  return firstUntrue(
    [refused.length > 0, 'every valid request is answered'],
    [
      status === undefined || refused.some(({ reply }) => reply.status === status),
      `none is refused by ${status}`,
    ],
  );
});

const familyNotServed: Holds = async (cause, { experiments, report }) => {
  const sentence = sentenceOf(cause);
  const [protocol] = endpointsIn(sentence);
  const family = families.find((each) => sentence.includes(`models.${each} `));
  if (protocol === undefined || family === undefined) return 'names no endpoint or family';
  const named = groups.filter((group) => new RegExp(`(token of|that of) ${group}\\b`).test(sentence));
  const due = mustBeServed.find((cell) => cell.protocol === protocol && cell.family === family);
  const must = due === undefined ? [] : due.group === 'any' ? groups : [due.group];
  const isStream = sentence.includes('served as a stream');
  const outcomes = await askedWith(experiments, { protocol, family, isStream }, named);
  const ofModels = cause.models ?? [];
  return firstUntrue(
    [due !== undefined, 'the interface does not say that it must be'],
    [
      must.some((group) => named.includes(group)) || named.length === 0,
      'none of these groups must be served',
    ],
    [
      due?.group !== 'any' || report.scope.groups.every((group) => named.includes(group)),
      'a group that is not named may be served',
    ],
    [
      ofModels.length > 0 || !outcomes.some((outcome) => outcome.isAnswered),
      'a simple request of one of them is answered',
    ],
  );
};

const askedWith = (
  experiments: Experiments,
  { protocol, family, isStream }: { protocol: Protocol; family: Family; isStream: boolean },
  named: readonly (typeof groups)[number][],
): Promise<readonly Outcome[]> =>
  Promise.all(
    named.map((group) =>
      experiments.ask({ protocol, family, group, ...(isStream ? { more: { stream: true } } : {}) }),
    ),
  );

const noStream: Holds = async (cause, { experiments }) => {
  for (const protocol of endpointsIn(sentenceOf(cause))) {
    const streamed = await simply(protocol, experiments, { stream: true });
    const whole = await simply(protocol, experiments);
    if (streamed.some((outcome) => outcome.isAnswered)) return `${protocol} gives a stream`;
    if (!whole.some((outcome) => outcome.isAnswered)) return `${protocol} answers nothing at all`;
  }
  return undefined;
};

/** The caller of a mistake that is told of, as a valid request and with something invented in its place. */
function askedFor(key: string): readonly { readonly own: Question; readonly invented: Question }[] {
  const [kind, name] = key.split('.');
  return mustBeServed.flatMap(({ protocol, family, group }) =>
    (group === 'any' ? groups : [group])
      .filter((each) => name === (kind === 'models' ? family : each))
      .map((each) => {
        const own = { protocol, family, group: each };
        const invented = kind === 'models' ? { model: inventedModel } : { token: inventedToken };
        return { own, invented: { ...own, ...invented } };
      }),
  );
}

/** The declaration is right: what is said of it holds only of a target that acts as if it were not. */
const mistake: Holds = async ({ configKeys = [], kind }, { experiments }) => {
  if (kind === 'base-address' || kind === 'tokens-exchanged' || kind === 'same-token')
    return 'the declaration is right';
  for (const { own, invented } of configKeys.flatMap(askedFor)) {
    const names = [inventedModel, modelOf(experiments.settings, own.family) ?? ''];
    const bare = ({ words }: Outcome): string =>
      names.reduce((text, each) => text.replaceAll(each, ''), words);
    const [valid, other] = [await experiments.ask(own), await experiments.ask(invented)];
    if (bare(valid) !== bare(other)) return `${own.protocol} tells it from an invented one`;
  }
  return undefined;
};

/** Sentences about endpoints, families and callers. */
export const ofEndpoints = {
  'endpoint-absent': endpointAbsent,
  'endpoint-unanswered': endpointUnanswered,
  'family-not-served': familyNotServed,
  'stream-not-offered': noStream,
  'base-address': mistake,
  'model-not-known': mistake,
  'tokens-exchanged': mistake,
  'same-token': mistake,
  'token-not-told': mistake,
  'model-not-told': mistake,
  'token-not-accepted': (cause, known) =>
    cause.configKeys === undefined ? tokenRefused(cause, known) : mistake(cause, known),
} as const satisfies Readonly<Record<string, Holds>>;
