import { isDeepStrictEqual } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { parameters } from '../../../spec/openapi.ts';
import { requirement } from '../../../spec/requirements.ts';
import { protocols } from '../../../spec/vocabulary.ts';
import type { Check } from '../../types/checks/check.ts';
import { type Built, built } from '../cases.fixture.ts';

let plan: Built;
beforeEach(() => {
  plan = built();
});

type Kind = Check['kind'];
const checks = <K extends Kind>(kind: K, suite = 'parameters') =>
  plan.cases.flatMap(({ id, suite: own, check }) =>
    own === suite && check.kind === kind ? [{ id, ...(check as Extract<Check, { kind: K }>) }] : [],
  );

/** The names of what differs between two bodies. */
const differing = (one: unknown, other: unknown): readonly string[] =>
  [...new Set([...Object.keys(Object(one)), ...Object.keys(Object(other))])].filter(
    (name) => !isDeepStrictEqual(Object(one)[name], Object(other)[name]),
  );

const isRow = (id: string): boolean => /\.combination\.\d+$/.test(id);

describe('what must be refused', () => {
  it('differs from its control in one thing: a parameter, the body as a whole, or that it is no JSON', () => {
    const wrong = checks('refused').filter(({ probe, controls }) => {
      const [sent, control] = [plan.request(probe), plan.request(controls[0] ?? '')];
      const { json, damage } = sent.body ?? {};
      const isWhole = typeof json !== 'object' || json === null || Array.isArray(json);
      const names = isWhole ? ['body'] : differing(json, control.body?.json);
      // NaN has to stand in place of a number.
      return !damage && names.length !== 1;
    });
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it('is not billed, expects a refusal, and the control is asked again behind it', () => {
    for (const { probe, after } of checks('refused')) {
      expect(plan.request(probe), probe).toMatchObject({ billed: 0, expect: 'refusal' });
      expect(after).toBe(`${plan.request(probe).protocol}.plain.after`);
    }
  });

  it('waits where it may be expensive: for a plainer one, and of images for all before it', () => {
    const waiting = (id: string) =>
      plan.request(id).when.flatMap((condition) => (condition.kind === 'unanswered' ? condition.all : []));
    expect(waiting('chat.temperature.range.far-above')).toEqual(['chat.temperature.range.2.01']);
    expect(waiting('chat.model.unknown.prefixed')).toEqual(['chat.model.unknown.unknown']);
    expect(waiting('chat.body.comment')).toEqual(['chat.body.malformed']);
    expect(waiting('images.n.range.11')).toEqual(
      expect.arrayContaining(['images.n.range.0', 'images.n.range.-1']),
    );
  });

  it('is wrong in rows of the covering array, too, some of them streamed, for every parameter', () => {
    const inRows = checks('refused').filter(({ controls: [control = ''] }) => isRow(control));
    const streams = inRows.map(({ probe }) => plan.request(probe).stream);
    expect(new Set(streams)).toEqual(new Set([true, false]));
    const asked = inRows.map(({ requirement: each }) => each.split('.').slice(0, 3).join('.'));
    const all = protocols.flatMap((protocol) => [
      ...parameters(protocol).map(({ slug }) => `${protocol}.param.${slug}`),
      `${protocol}.body.json`,
    ]);
    expect([...new Set(asked)].sort()).toEqual(all.sort());
    for (const { controls, probe, controlMayBeRefused } of inRows) {
      expect(controlMayBeRefused).toBe(true);
      expect(plan.request(probe).when).toContainEqual({ kind: 'answered', any: controls });
    }
  });

  it('is shown in a row in place of the plain request, and in that where the row is refused', () => {
    const inRow = checks('refused').filter(({ instead }) => instead);
    expect(inRow.length).toBeGreaterThan(80);
    for (const { id, probe, controls, instead } of inRow) {
      const [row = ''] = controls;
      expect(isRow(row), id).toBe(true);
      expect(instead?.probe).toBe(`${probe}.plain`);
      expect(plan.request(`${probe}.plain`).when).toEqual([{ kind: 'refused', exchange: row }]);
    }
  });

  it('is shown in ever other rows, so that they have much of what requests may have together', () => {
    for (const { slug } of parameters('chat')) {
      const requirement = `chat.param.${slug}.type`;
      const rows = checks('refused')
        .filter((check) => check.requirement === requirement)
        .flatMap(({ controls: [control = ''] }) => (isRow(control) ? [control] : []));
      expect(new Set(rows).size, requirement).toBeGreaterThanOrEqual(Math.min(rows.length, 4));
    }
  });

  it('has the accepted values of its parameter as controls', () => {
    const { controls } = plan.check('parameters.chat.temperature.range.2.01', 'refused');
    expect(controls).toEqual(
      expect.arrayContaining(['chat.plain', 'chat.temperature.0', 'chat.temperature.2']),
    );
    for (const id of controls.slice(1))
      expect(plan.body(id)).toHaveProperty('temperature', expect.any(Number));
  });

  it('is sent where no model is answered, too, where the name is an invented one', () => {
    expect(plan.request('chat.model.unknown.unknown').when).toEqual([
      { kind: 'recorded', all: ['cell.multimodal.chat.default', 'cell.general.chat.default'] },
    ]);
  });
});

describe('what must be accepted', () => {
  it('is shown by rows of the covering array, and sent alone where none of them is answered', () => {
    const shown = checks('accepted').filter(({ combinations = [] }) => combinations.length > 0);
    expect(shown.length).toBeGreaterThan(30);
    for (const { probe, combinations } of shown)
      expect(plan.request(probe), probe).toMatchObject({ billed: 0, standsFor: combinations });
  });

  it('bills each image once, in the row that asks for it', () => {
    for (const n of [1, 2, 10]) {
      const { combinations = [] } = plan.check(`parameters.images.n.accepted.${n}`, 'accepted');
      expect(combinations.map((id) => plan.request(id).billed)).toEqual([n]);
    }
  });

  it('is an id to chain from behind the response that it comes from', () => {
    const request = plan.request('responses.previous-response-id.earlier');
    expect(request.when).toEqual([{ kind: 'answered', any: ['responses.plain'] }]);
    expect(request.body?.json).toMatchObject({
      previous_response_id: { $: 'reply', exchange: 'responses.plain', pointer: '/id' },
    });
  });

  it('is held against another form of itself where the plain request has it', () => {
    const of = (id: string) => plan.check(`parameters.${id}.accepted.plain`, 'accepted');
    expect(of('chat.messages')).toMatchObject({ probe: 'chat.plain', controls: [] });
    expect(of('responses.input')).toMatchObject({ probe: 'responses.plain', controls: ['responses.listed'] });
    expect(plan.request('responses.listed')).toMatchObject({ billed: 0, when: [{ kind: 'unanswered' }] });
  });
});

it('an optional parameter is left out of the smallest request, or of one with all the others', () => {
  for (const { requirement: each, smallest, pairs } of checks('optional')) {
    const [protocol, , slug = ''] = each.split('.');
    const { without, full } = pairs.at(-1) ?? { without: '', full: '' };
    expect(differing(plan.body(without), plan.body(full))).toEqual([slug.replaceAll('-', '_')]);
    expect(plan.request(full)).toMatchObject({ id: `${protocol}.full`, billed: 0 });
    expect(plan.request(without).when).toEqual([{ kind: 'answered', any: [full] }]);
    expect(smallest.length).toBeGreaterThan(0);
  }
  expect(plan.body('responses.full')).not.toHaveProperty('previous_response_id');
});

it('a parameter called stream is left out of the plain request, too, which is no smallest one then', () => {
  expect(plan.check('parameters.chat.stream.optional', 'optional')).toMatchObject({
    smallest: ['cell.multimodal.chat.default', 'cell.general.chat.default'],
    pairs: [
      { without: 'cell.multimodal.chat.default', full: 'chat.plain' },
      { without: 'chat.full.without.stream', full: 'chat.full' },
    ],
  });
});

it('what is observed can never fail, and expects either', () => {
  for (const { requirement: each, probes } of checks('observe', 'observations')) {
    expect(requirement(each).level).toBe('unspecified');
    for (const id of probes) expect(['either', 'answer']).toContain(plan.request(id).expect);
  }
});

it('every parameter is asked for by each of its rows in the register', () => {
  const judged = new Set(plan.cases.flatMap(({ requirements }) => requirements));
  const rules = /\.param\.[a-z-]+\.(required|type|accepted|unknown|range|allowed|optional|null)$/;
  expect([...judged].filter((id) => rules.test(id)).length).toBeGreaterThan(80);
});
