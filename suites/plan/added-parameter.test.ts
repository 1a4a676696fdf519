import { afterAll, expect, it, vi } from 'vitest';
import { families, groups } from '../../spec/vocabulary.ts';
import { fullDepth } from '../types/profile.ts';

// The document is read once in a process: what is added here is known to modules of their own.
vi.resetModules();
const { openapi } = await import('../../spec/openapi.ts');
const { requirement } = await import('../../spec/requirements.ts');
const { everything, planFor } = await import('./plan.ts');
afterAll(() => vi.resetModules());

const added = {
  warmth: { type: 'number', minimum: -2, maximum: 2 },
  steps: { type: 'integer', minimum: 3, maximum: 8 },
  beams: { type: 'integer', minimum: 1 },
  tone: { type: 'string', enum: ['low', 'high'], 'x-elsewhere': ['middling'] },
  echoed: { type: 'boolean' },
  note: { type: 'string', examples: ['Mind the gap.'] },
};
const schema = openapi().components?.schemas?.ChatRequest;
for (const [name, more] of Object.entries(added))
  Object(schema).properties[name] = { ...more, 'x-sections': ['4.3'] };

const plan = planFor({ families, groups, rateLimited: false }, 1, everything, fullDepth);

/** What is sent in place of a parameter to judge a requirement about it, in the plain request. */
const sent = (name: keyof typeof added, rule: string): readonly unknown[] => {
  const bodies = new Map(plan.requests.map(({ id, body }) => [id, Object(body?.json)]));
  return plan.cases
    .filter(
      ({ id, requirements }) =>
        requirements.includes(`chat.param.${name}.${rule}`) &&
        id.startsWith(`parameters.chat.${name}.`) &&
        !id.includes('.in.'),
    )
    .flatMap(({ check }) => ('probe' in check ? [bodies.get(check.probe)[name]] : []));
};

const message = expect.anything();

it.each([
  ['warmth', [-2, -0.6, 2]],
  ['steps', [3, 4, 8]],
  ['beams', [1]],
  ['tone', ['low', 'high']],
  ['echoed', [false, true]],
  ['note', ['Mind the gap.']],
] as const)('valid values of a parameter that the document did not have are asked: %s', (name, values) => {
  expect(sent(name, 'accepted')).toEqual(values);
});

it.each([
  ['warmth', 'range', [-2.01, 2.01, -42, -3, 42, 3]],
  ['steps', 'range', [2, 9, -47, 58]],
  ['beams', 'range', [0, -1, -9]],
  ['tone', 'allowed', [message, 'higi', 'middling', 'LOW', ' low ', 'lo', 'low,high', '']],
  ['warmth', 'type', ['0', true, [0], { value: 0 }, '']],
  ['steps', 'type', ['3', 3.5, true, [3], { value: 3 }, '']],
  ['tone', 'type', [42, true, ['low'], { value: 'low' }, false]],
  ['echoed', 'type', ['true', 1, 'false', [true], { value: true }, 0]],
  ['note', 'type', [42, true, ['Mind the gap.'], { value: 'Mind the gap.' }, false]],
] as const)('what must be refused of it is asked: %s, %s', (name, rule, values) => {
  expect(sent(name, rule)).toEqual(values);
});

it('each has its rows in the register', () => {
  expect(requirement('chat.param.warmth.range')).toEqual({
    id: 'chat.param.warmth.range',
    sections: ['4.3'],
    level: 'derived',
    impact: 'lenient',
    statement: 'A `warmth` below -2 or above 2 is refused by the Chat Completions endpoint.',
    reading: expect.stringContaining('nearest bound'),
    since: 1,
    about: { protocol: 'chat', parameter: 'warmth' },
  });
  expect(requirement('chat.param.beams.accepted').statement).toMatch(/^Every `beams` from 1 on is taken/);
});

it.each(Object.keys(added))('%s may be left out, and null is observed', (name) => {
  const judged = new Set(plan.cases.flatMap(({ requirements }) => requirements));
  expect(judged).toContain(`chat.param.${name}.optional`);
  expect(judged).toContain(`chat.param.${name}.null`);
});

it('wrong values are asked in other requests, too', () => {
  const situations = plan.cases.filter(({ id }) =>
    /\.(warmth|tone)\.(range|type|allowed)\..*\.in\.\d+$/.test(id),
  );
  expect(situations.length).toBe(15);
});
