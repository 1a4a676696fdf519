import { describe, expect, it } from 'vitest';
import { catalogue } from '../../spec/catalogue.ts';
import { requirement as rowOf, requirements } from '../../spec/requirements.ts';
import { families, groups, type Impact } from '../../spec/vocabulary.ts';
import { answered, events, refused, replied, silent, unsent } from '../checks/evidence.fixture.ts';
import type { Evidence, Exchange, Unsent } from '../types/exchange.ts';
import type { Plan, PlannedRequest } from '../types/plan.ts';
import type { Selection } from '../types/run.ts';
import { everything } from '../plan/plan.ts';
import { planned } from '../plan/planned.fixture.ts';
import { judgeRun, runId } from './judge-run.ts';

const token = { value: 'sk-secret-value', variable: 'GATEWAY_TOKEN' };
const target = {
  name: 'Sample',
  baseUrl: 'http://gateway.test',
  models: { general: 'g', conversational: 'c', multimodal: 'm', image: 'i', 'chat-image': 'd' },
  tokens: { default: token, 'coding-tool': token, 'third-party-client': token, 'rate-limited': token },
};

const planOf = (selection: Partial<Selection> = {}): Plan =>
  planned({ families, groups, rateLimited: true }, selection);

const meta = (partial = false, selection: Selection = everything) => ({
  runId: 'run',
  startedAt: '2026-11-20T12:00:00.000Z',
  finishedAt: '2026-11-20T12:00:09.000Z',
  partial,
  selection,
});

/** What a gateway that keeps most of the interface answers; its texts recall nothing. */
function conformant({ id, protocol, expect: expected, stream, body, credential }: PlannedRequest): Exchange {
  if (expected === 'limited') return refused(id, 429);
  if (expected === 'refusal')
    return refused(id, credential.form === 'right' ? 400 : 401, { error: { code: credential.form } });
  if (stream)
    return replied(id, {
      pieces: events([
        { type: 'response.output_text.delta', delta: 'x', choices: [{ delta: { content: 'x' } }], text: 'x' },
      ]),
    });
  const count = (body?.json as { n?: number } | undefined)?.n ?? 1;
  return answered(id, protocol, protocol === 'images' ? String(count) : 'hello');
}

const evidenceOf = (
  plan: Plan,
  answer: (request: PlannedRequest) => Exchange | Unsent = conformant,
): Evidence => new Map(plan.requests.map((request) => [request.id, answer(request)]));

const plan = planOf();
const report = judgeRun(target, plan, evidenceOf(plan), meta());

/** Fewer cases, where a test is about no others. */
const cells = planOf({ suites: ['families'] });
const results = planOf({ suites: ['results'] });
const resultsReport = judgeRun(target, results, evidenceOf(results), meta());

describe('judging a run', () => {
  it('gives the same report in whatever order the evidence came', () => {
    const reversed = new Map([...evidenceOf(plan)].reverse());
    expect(judgeRun(target, plan, reversed, meta())).toEqual(report);
    const shuffled = new Map(
      [...evidenceOf(plan)].sort(([one], [other]) => one.length - other.length || one.localeCompare(other)),
    );
    expect(judgeRun(target, plan, shuffled, meta())).toEqual(report);
  });

  it('gives the same report for evidence that was written down and read again', () => {
    const read = new Map(
      [...evidenceOf(plan)].map(([id, entry]) => [
        id,
        JSON.parse(JSON.stringify(entry)) as Exchange | Unsent,
      ]),
    );
    expect(judgeRun(target, plan, read, meta())).toEqual(report);
  });

  it('has each case of the plan, each exchange of the evidence, each requirement, and no token', () => {
    expect(report.cases.map(({ id }) => id)).toEqual(plan.cases.map(({ id }) => id));
    expect(report.exchanges.map(({ id }) => id).sort()).toEqual(plan.requests.map(({ id }) => id).sort());
    const ids = [...report.requirements, ...report.excluded].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(JSON.stringify(report)).not.toContain(token.value);
  });

  it('gives each requirement the impact that the register has', () => {
    const impacts = (rows: readonly { readonly id: string; readonly impact?: Impact }[]) =>
      rows.map(({ id, impact }) => [id, impact]);
    expect(impacts(report.requirements)).toEqual(
      impacts(requirements().filter(({ excluded }) => excluded === undefined)),
    );
  });

  it('counts its requirements by verdict', () => {
    const total = Object.values(report.summary).reduce((sum, count) => sum + count, 0);
    expect(total).toBe(report.requirements.length);
    expect(report.summary.fail).toBe(report.requirements.filter(({ verdict }) => verdict === 'fail').length);
  });

  it('names for every verdict exchanges that are in it', () => {
    const known = new Set(report.exchanges.map(({ id }) => id));
    for (const { id, exchanges, verdict } of report.cases) {
      expect(
        exchanges.filter((each) => !known.has(each)),
        id,
      ).toEqual([]);
      if (verdict === 'pass' || verdict === 'fail') expect(exchanges, id).not.toEqual([]);
    }
  });

  it('counts every attempt as a request, and every answer as billed, images each', () => {
    const images = planOf({ requirements: ['images.result.data.count'] });
    const twice = judgeRun(
      target,
      images,
      evidenceOf(images, (request) => ({
        ...conformant(request),
        attempts: [...conformant(request).attempts, ...conformant(request).attempts],
      })),
      meta(),
    );
    expect(twice.run.requests).toBe(2 * images.requests.length);
    const taken = images.requests.filter(({ expect: hoped }) => hoped === 'answer' || hoped === 'either');
    const bodies = taken.map(({ body }) => (body?.json as { n?: number } | undefined)?.n ?? 1);
    expect(twice.run.billedGenerations).toBe(bodies.reduce((sum, count) => sum + count, 0));
  });

  it('has what was sent again behind what it repeats, in the order it was sent, and counts it as billed', () => {
    const [control, image] = ['chat.plain', 'images.plain'];
    const again = (id: string, repeats: string, protocol: 'chat' | 'images', text: string) => ({
      ...answered(id, protocol, text),
      repeats,
    });
    const repeats = [
      again(`${control}~10`, control, 'chat', 'hello'),
      again(`${image}~2`, image, 'images', '3'),
      again(`${control}~2`, control, 'chat', 'hello'),
    ];
    const more = new Map([...evidenceOf(results), ...repeats.map((entry) => [entry.id, entry] as const)]);
    const repeated = judgeRun(target, results, more, meta());
    const behind = (id: string, count: number) => {
      const ids = repeated.exchanges.map((exchange) => exchange.id);
      return ids.slice(ids.indexOf(id) + 1, ids.indexOf(id) + 1 + count);
    };
    expect(behind(control, 2)).toEqual([`${control}~2`, `${control}~10`]);
    expect(behind(image, 1)).toEqual([`${image}~2`]);
    expect(repeated.exchanges).toHaveLength(resultsReport.exchanges.length + 3);
    expect(repeated.run.billedGenerations).toBe(resultsReport.run.billedGenerations + 2 + 3);
  });

  it('takes a list of data for images only where images were asked for', () => {
    const listed = new Map(evidenceOf(results));
    const { response, ...rest } = answered('chat.plain', 'chat', 'hello');
    const json = { ...JSON.parse(response?.body.text ?? ''), data: [1, 2, 3] };
    listed.set('chat.plain', { ...rest, response: replied('chat.plain', { json }).response });
    const { run } = judgeRun(target, results, listed, meta());
    expect(run.billedGenerations).toBe(resultsReport.run.billedGenerations);
  });

  it('gives an observation the section of its requirement', () => {
    expect(report.observations.length).toBeGreaterThan(0);
    for (const { section, requirement } of report.observations)
      expect(section, requirement).toBe(rowOf(requirement).sections[0]);
  });

  it('shows every cell of the matrix as it was seen', () => {
    const seen = (family: string, protocol: string, group: string) =>
      report.matrix.find(
        (cell) =>
          cell.family === family && cell.protocol === protocol && cell.group === group && !cell.stream,
      )?.observed;
    expect(seen('conversational', 'messages', 'third-party-client')).toBe('served');
    expect(seen('conversational', 'messages', 'default')).toBe('refused');
    expect(seen('image', 'images', 'default')).toBe('served');
    expect(seen('general', 'images', 'coding-tool')).toBe('not sent');
  });

  it('says beside each group what is seen of any, where one that is served is enough', () => {
    const judged = (isRefused: (request: PlannedRequest) => boolean) => {
      const evidence = evidenceOf(cells, (request) =>
        isRefused(request) ? refused(request.id, 400) : conformant(request),
      );
      const shown = judgeRun(target, cells, evidence, meta()).matrix.filter(
        ({ family, protocol, stream }) => family === 'general' && protocol === 'responses' && !stream,
      );
      expect(new Set(shown.map(({ expectation }) => expectation))).toEqual(new Set(['unspecified']));
      return shown.map(({ group, observed, anyGroup }) => `${group} ${observed} ${anyGroup}`);
    };
    expect(judged(({ id }) => /^cell\.general\.responses\.(default|third-party-client)$/.test(id))).toEqual([
      'default refused pass',
      'coding-tool served pass',
      'third-party-client refused pass',
    ]);
    expect(judged((request) => request.protocol === 'responses' && request.expect === 'answer')).toEqual([
      'default refused fail',
      'coding-tool refused fail',
      'third-party-client refused fail',
    ]);
  });

  it('takes what the replies of one endpoint show, though another gives none', () => {
    const evidence = evidenceOf(plan, (request) =>
      request.protocol === 'responses' ? refused(request.id, 404) : conformant(request),
    );
    const { requirements } = judgeRun(target, plan, evidence, meta());
    expect(requirements.find(({ id }) => id === 'service.output')?.verdict).toBe('pass');
    const none = evidenceOf(plan, ({ id }) => refused(id, 404));
    const row = judgeRun(target, plan, none, meta()).requirements.find(({ id }) => id === 'service.output');
    expect([row?.verdict, row?.code]).toEqual(['inconclusive', 'nothing-answered']);
  });

  it('counts no refusal of a cell where nothing is answered on its path', () => {
    const evidence = evidenceOf(cells, (request) =>
      request.protocol === 'responses' ? refused(request.id, 404) : conformant(request),
    );
    const { matrix } = judgeRun(target, cells, evidence, meta());
    const seen = matrix
      .filter(({ protocol, expectation }) => protocol === 'responses' && expectation === 'refused')
      .map(({ observed }) => observed);
    expect(new Set(seen)).toEqual(new Set(['unknown']));
  });

  it('makes nothing of no evidence', () => {
    const none = judgeRun(target, plan, new Map(), meta());
    expect(none.verdict).toBe('inconclusive');
    expect(none.summary).toMatchObject({ pass: 0, fail: 0, observed: 0 });
    expect(none.run).toMatchObject({ requests: 0, billedGenerations: 0 });
    expect(none.conflicts[0]?.follows).toBe('unknown');
    const followed = none.conflicts.filter(({ follows }) => ['A', 'B', 'mixed'].includes(follows));
    expect(followed).toEqual([]);
    expect(none.observations).toEqual([]);
  });

  it.each([
    ['nobody is there', (id: string) => silent(id, { kind: 'unreachable', detail: 'ECONNREFUSED' })],
    ['all is put off', (id: string) => replied(id, { status: 503, text: 'later' })],
    ['all runs out of time', (id: string) => silent(id, { kind: 'timeout', afterMs: 100 })],
    ['nothing was sent', (id: string) => unsent(id)],
  ])('neither passes nor fails where %s', (_, entry) => {
    const { summary, verdict } = judgeRun(
      target,
      plan,
      evidenceOf(plan, ({ id }) => entry(id)),
      meta(),
    );
    expect(verdict).toBe('inconclusive');
    expect(summary).toMatchObject({ pass: 0, fail: 0 });
  });

  it('says that a run was stopped', () => {
    const partial = judgeRun(target, plan, evidenceOf(plan), meta(true));
    expect(partial.run.partial).toBe(true);
    expect(partial.verdict).not.toBe('conformant');
  });

  it('says what was selected, and leaves the rest untested', () => {
    const selection = { ...everything, requirements: ['chat.param.temperature.range'] };
    const small = planOf(selection);
    const { scope, requirements } = judgeRun(target, small, evidenceOf(small), meta(false, selection));
    expect(scope.selection).toEqual({ requirements: ['chat.param.temperature.range'] });
    expect(requirements.filter(({ verdict }) => verdict !== 'untested')).toMatchObject([
      { id: 'chat.param.temperature.range', verdict: 'pass' },
    ]);
  });

  it('knows a run by what shaped it and when', () => {
    const id = runId(1, meta().startedAt, target.baseUrl);
    expect(id).toMatch(/^[0-9a-f]{16}$/);
    expect(runId(1, meta().startedAt, target.baseUrl)).toBe(id);
    expect(runId(2, meta().startedAt, target.baseUrl)).not.toBe(id);
  });
});

describe('a contradiction of the document', () => {
  const id = 'cell.conversational.chat.default';
  const read = (plainly: typeof answered, streamed: typeof answered) => {
    const answers: Readonly<Record<string, Exchange>> = {
      [id]: plainly(id),
      [`${id}.stream`]: streamed(`${id}.stream`),
    };
    return judgeRun(
      target,
      cells,
      evidenceOf(cells, (request) => answers[request.id] ?? conformant(request)),
      meta(),
    );
  };
  const no = (each: string) => refused(each);
  const later = (each: string) => replied(each, { status: 503 });

  it.each([
    ['A', 'both are refused', no, no],
    ['B', 'both are answered', answered, answered],
    ['mixed', 'only one is answered', answered, no],
    ['unknown', 'neither has a reply', later, later],
    ['A', 'one is refused and the other has no reply', no, later],
  ] as const)('is followed as %s where %s, and never failed', (follows, _, plainly, streamed) => {
    const { conflicts, requirements } = read(plainly, streamed);
    expect(conflicts[0]).toMatchObject({
      id: 'family-conversational-chat',
      kind: 'contradiction',
      follows,
      readings: [{ label: 'A' }, { label: 'B' }],
    });
    const rows = requirements.filter(({ level }) => level === 'conflicting');
    expect(rows.map(({ verdict }) => verdict)).toEqual(['conflict', 'conflict']);
    expect(conflicts[0]?.exchanges).toEqual(expect.arrayContaining([id]));
  });

  it('is untested where no conversational model is declared', () => {
    const others = families.filter((family) => family !== 'conversational');
    const smaller = planned({ families: others, groups, rateLimited: true }, { suites: ['families'] });
    const report = judgeRun(target, smaller, evidenceOf(smaller), meta());
    expect(report.conflicts[0]?.follows).toBe('untested');
  });

  it('is unknown where the model is refused everywhere', () => {
    const all = judgeRun(
      target,
      cells,
      evidenceOf(cells, (request) => refused(request.id)),
      meta(),
    );
    expect(all.conflicts[0]?.follows).toBe('unknown');
  });
});

describe('an entry of the catalogue', () => {
  const entryOf = (id: string, { conflicts }: ReturnType<typeof judgeRun>) =>
    conflicts.find((entry) => entry.id === id);
  const judgedWith = (some: Plan, change: (id: string) => Exchange | undefined) =>
    judgeRun(
      target,
      some,
      evidenceOf(some, (request) => change(request.id) ?? conformant(request)),
      meta(),
    );

  it('stands in every report, with its reading, why, and what rests on it', () => {
    expect(report.conflicts.map(({ id }) => id)).toEqual(catalogue().map(({ id }) => id));
    expect(entryOf('inclusive-bounds', report)).toMatchObject({
      kind: 'ambiguity',
      sections: ['4.2', '4.3', '4.4', '8'],
      held: 'A',
      why: expect.stringContaining('neither end'),
      requirements: expect.arrayContaining(['images.param.n.accepted']),
    });
    expect(entryOf('model-used', report)?.follows).toBe('not observable');
  });

  it.each([
    ['A', answered],
    ['B', (id: string) => refused(id)],
    ['unknown', (id: string) => replied(id, { status: 503 })],
  ] as const)(
    'is followed as %s by the reply to what is observed, with the observation',
    (follows, reply) => {
      const observed = planOf({ suites: ['observations'] });
      const judged = judgedWith(observed, (id) =>
        id === 'chat.temperature-with-top-p' ? reply(id) : undefined,
      );
      expect(entryOf('temperature-or-top-p', judged)).toMatchObject({
        follows,
        exchanges: ['chat.temperature-with-top-p'],
        observations: ['observations.chat.temperature-with-top-p'],
      });
    },
  );

  it('is followed by the verdicts of what rests on it: one way, the other, or now this and now that', () => {
    const served = (pattern: RegExp) =>
      judgedWith(cells, (id) => (pattern.test(id) ? answered(id, 'responses') : undefined));
    const follows = (pattern: RegExp) => entryOf('refusal-of-the-unsupported', served(pattern))?.follows;
    expect(follows(/^none$/)).toBe('A');
    expect(follows(/^cell\.(multimodal|conversational)\.responses\./)).toBe('B');
    expect(follows(/^cell\.multimodal\.responses\./)).toBe('mixed');
  });
});
