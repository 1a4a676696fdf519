import { createServer } from 'node:http';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { listening } from '../../suites/wire/loopback.fixture.ts';
import { type Answer, always, bodies, endless, floods, garbled } from './answers.fixture.ts';
import { hangingMs, judging, sweep } from './process.fixture.ts';
import { expectSafe, memoryOfLargeResultsMb } from './safe.fixture.ts';
import { hostile, reply } from './server.fixture.ts';

vi.setConfig({ testTimeout: hangingMs + 30_000 });
afterEach(sweep);

/** Answers now in this way and now in that. */
const inTurn = (answers: readonly Answer[]): Answer => {
  return (asked) => answers[asked.place % answers.length]?.(asked);
};

async function judgedAs(
  answer: Answer,
  codes: readonly number[],
  args: readonly string[] = [],
  memoryMb?: number,
) {
  const target = await hostile(answer);
  const judged = await judging(target.url, ['--timeout', '1', '--quiet', ...args], hangingMs).finally(
    target.close,
  );
  return { judged, requests: target.requests(), report: expectSafe(judged, codes, memoryMb) };
}

describe('a target that sends in turn', () => {
  const kinds: readonly (readonly [string, Readonly<Record<string, Answer>>, readonly string[]])[] = [
    [
      'everything that should not be in a body',
      bodies,
      // What the first replies happen to be may look like a mistake in the config.
      ['--suite', 'results,authentication', '--keep-going'],
    ],
    ['everything that is not HTTP', garbled, ['--suite', 'results,streams']],
    ['everything without end', { ...endless, ...floods }, ['--suite', 'results,streams']],
  ];
  test.each(kinds)('%s does no harm', async (_name, answers, args) => {
    await judgedAs(inTurn(Object.values(answers)), [1, 3], args, memoryOfLargeResultsMb);
  });
});

describe('a target that always sends', () => {
  const alone: readonly (readonly [string, Answer | undefined])[] = [
    ['a million outputs', bodies['a million outputs']],
    ['nested events', bodies['nested events']],
    ['a body without end', floods['a body without end']],
    ['a gzip bomb', floods['a gzip bomb']],
  ];
  test.each(alone)('%s is judged within memory and time', async (_name, answer) => {
    expect(answer).toBeDefined();
    await judgedAs(answer ?? (() => undefined), [1, 3], ['--suite', 'families,results,streams']);
  });

  test.each(['a chat completion', 'all results in one', 'the request'])(
    '%s is not conformant',
    async (name) => {
      const { report } = await judgedAs(always[name] ?? (() => undefined), [1]);
      expect(report.verdict).toBe('non-conformant');
    },
  );

  test.each(['HTML', '{}', '404'])('%s is taken for what stands at a wrong base address', async (name) => {
    const { report } = await judgedAs(always[name] ?? (() => undefined), [3]);
    expect(report.verdict).toBe('inconclusive');
    expect(report.causes?.map(({ kind }) => kind)).toContain('base-address');
  });

  test.each(['429, Retry-After 99999', '429, Retry-After garbage'])(
    '%s is not waited for, and proves nothing',
    async (name) => {
      const { judged } = await judgedAs(always[name] ?? (() => undefined), [3], ['--suite', 'results']);
      expect(judged.ms).toBeLessThan(25_000);
    },
  );

  test('nothing at all is given up', async () => {
    const { requests } = await judgedAs(
      endless['no answer'] ?? (() => undefined),
      [3],
      ['--suite', 'results,streams'],
    );
    expect(requests).toBeLessThan(80);
  });
});

test('a run ends when its time is up, with what it had', async () => {
  const { judged, report } = await judgedAs(
    endless['no answer'] ?? (() => undefined),
    [3],
    ['--timeout', '600', '--max-duration', '3'],
  );
  expect(judged.ms).toBeLessThan(30_000);
  expect([report.run.partial, report.verdict]).toEqual([true, 'inconclusive']);
  expect(judged.stderr).toContain('not everything was sent: the time of the run was up after 3 s');
});

test.each([
  ['HTTP/0.9', 'what came is not HTTP/1.1'],
  ['HTTP/2 preface', 'what came is not HTTP/1.1'],
  ['switching protocols', 'the reply changes to another protocol, which was not asked for'],
  ['reset', 'no reply began'],
])('a target that answers with %s alone is told by that', async (name, said) => {
  const { judged } = await judgedAs(garbled[name] ?? (() => undefined), [3], ['--suite', 'results']);
  expect(judged.stderr).toContain('nothing that came back can be judged; ');
  expect(judged.stderr).toContain(said);
});

test('no other origin hears of it: not by a redirect, not by an address in a reply', async () => {
  const heard: string[] = [];
  const other = await listening(
    createServer((request, response) => {
      heard.push(`${request.method} ${request.url}`);
      response.end('{}');
    }),
  );
  const elsewhere = `${other.url}/v1/chat/completions`;
  const cookies: string[] = [];
  const links = JSON.stringify({
    created: 1_790_000_000,
    data: [{ url: `${other.url}/1.png` }, { url: 'file:///etc/passwd' }],
  });
  await judgedAs(
    (asked) => {
      if (/^cookie:/im.test(asked.head)) cookies.push(asked.head);
      const image = asked.path.includes('images') || asked.place % 3 === 0;
      const headers = {
        'set-cookie': 'session=1; Path=/',
        location: elsewhere,
        refresh: `0; url=${elsewhere}`,
      };
      reply(
        asked,
        image ? 200 : ([301, 302, 303, 307, 308][asked.place % 5] ?? 307),
        headers,
        image ? links : '',
      );
    },
    [1],
  );
  await other.close();
  expect([heard, cookies]).toEqual([[], []]);
});
