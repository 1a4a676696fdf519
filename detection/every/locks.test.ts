import { beforeAll, describe, expect, test } from 'vitest';
import type { Hooks } from '../../fixtures/gateway/hooks.ts';
import { jsonReply } from '../../fixtures/gateway/refusal.ts';
import { type Lock, locking } from '../../fixtures/faults/locking.ts';
import { productNamed } from '../../fixtures/faults/named.ts';
import { lockVariants } from '../../fixtures/variants/locks.ts';
import { refusalRepeats } from '../../suites/reading/reply-history.ts';
import type { Report } from '../../suites/types/report.ts';
import { decidedRun } from '../blame.fixture.ts';
import { blamed, concurrently, detect } from '../detect.ts';

const patience = 420_000;

const reply = jsonReply(503, { error: { message: 'Locked' } });
const forever: readonly (readonly [string, Lock])[] = [
  [
    'of a model',
    {
      holdsFor: ({ body, family }) => (family === null ? undefined : String(body.model)),
      isSetOffBy: (_, { code }) => code === 'invalid-maximum',
      reply,
      ms: 1e9,
    },
  ],
  [
    'of everybody',
    {
      holdsFor: () => 'everybody',
      isSetOffBy: (_, { kind }) => kind === 'authentication',
      reply: { ...reply, status: 403 },
      ms: 1e9,
    },
  ],
];

/** A protocol takes no credential any more after a refused login. */
const closedDoor: Hooks = {
  authenticate(verdict, { protocol, state }) {
    if (verdict.problem !== null) state.set(`closed ${protocol}`, true);
    return state.has(`closed ${protocol}`) ? { problem: 'invalid-token', token: null } : verdict;
  },
};

const locked = lockVariants.flatMap((variant) =>
  [1, 8, 32].map((concurrency) => ({
    name: `${variant.id} at concurrency ${concurrency}`,
    variant,
    concurrency,
  })),
);
const reports = new Map<string, Report>();

/** Those whose first run was not decided, and how many may be of all. */
const undecided: string[] = [];
const mostUndecided = 2;

/** They mostly wait; of more at once each takes so long that its locks fill its time. */
const atOnce = 10;

beforeAll(async () => {
  const runs: readonly (readonly [name: string, run: () => Promise<Report>])[] = [
    ...locked.map(
      ({ name, variant, concurrency }) =>
        [
          name,
          () =>
            decidedRun(
              () => detect(variant, { concurrency }),
              () => undecided.push(name),
            ),
        ] as const,
    ),
    ...forever.map(
      ([name, lock]) => [name, () => detect({ id: name, title: name, hooks: locking(lock) })] as const,
    ),
    ['smoke', () => detect({ id: 'smoke', title: 'smoke', hooks: closedDoor }, { profile: 'smoke' })],
  ];
  await concurrently(runs, atOnce, async ([name, run]) => reports.set(name, await run()));
}, patience);

describe('a conformant gateway that locks out', () => {
  test.each(locked)('$name is accepted', ({ name }) => {
    const report = reports.get(name);
    expect(report && { verdict: report.verdict, blamed: blamed(report) }).toEqual({
      verdict: 'conformant',
      blamed: [],
    });
  });

  test(`is judged at the first attempt, but for at most ${mostUndecided}`, () => {
    expect(undecided.slice(mostUndecided)).toEqual([]);
  });

  test('is told with the status and how long it lasted', () => {
    const lockOut = reports
      .get('lock.caller-403 at concurrency 8')
      ?.observations.find(({ requirement }) => requirement === 'errors.lock-out');
    expect(lockOut?.value).toMatch(/^HTTP 403 for \d+\.\d s at most, seen by /);
  });
});

const ofLimitedLogins = locked.filter(({ variant }) => variant.id.startsWith('lock.logins-'));

test.each(ofLimitedLogins)('$name: what is limited for an hour is not waited for', ({ name }) => {
  const sent = reports.get(name)?.exchanges.map(({ attempts }) => attempts.length) ?? [];
  expect(Math.max(...sent)).toBe(refusalRepeats);
  expect(sent.filter((attempts) => attempts === refusalRepeats).length).toBeLessThan(25);
});

describe('a gateway whose lock-out never ends', () => {
  test.each(forever)('%s is not conformant', (name) => {
    expect(reports.get(name)?.verdict).toMatch(/^(non-conformant|inconclusive)$/);
  });

  test('passes no refusal in smoke where a valid request works no longer afterwards', () => {
    const report = reports.get('smoke');
    expect(report?.verdict).toBe('inconclusive');
    const open = report?.requirements.filter(({ id }) => /\.auth\.(missing|invalid)$/.test(id)) ?? [];
    expect(open.map(({ code }) => code)).toEqual(Array.from({ length: 8 }, () => 'control-fails-afterwards'));
  });
});

describe('refusals of valid requests that no lock-out explains', () => {
  const products = [
    productNamed('reply-bad-request', 'chat', 'after-stream'),
    productNamed('reply-forbidden', 'messages', 'after-stream'),
  ];

  // One request at a time: then what stands behind a stream does not hang on timing.
  test.each(products)('$title', async (product) => {
    expect(blamed(await detect(product, { concurrency: 1 }))).toEqual(['service.availability']);
  });
});
