import { expect, test } from 'vitest';
import {
  drips,
  type Hang,
  isStream,
  judgedWhere,
  stalls,
  staysSilent,
  timeoutsIn,
} from './hanging.fixture.ts';

const hangs: readonly (readonly [string, Hang])[] = [
  ['stays silent', staysSilent],
  ['stalls after some text', stalls],
  ['sends comments only, without end', drips(': ping\n\n')],
];

const [concurrency, timeoutMs] = [4, 1_000];

test.each(hangs)('where every stream %s, those under way alone get the whole time', async (_, hang) => {
  const { evidence, report } = await judgedWhere(isStream, hang, {
    profile: 'smoke',
    concurrency,
    timeoutMs,
  });
  const timeouts = timeoutsIn(evidence);
  const whole = timeouts.filter(({ shortened }) => shortened !== true);
  expect(whole.length).toBeGreaterThan(0);
  expect(whole.length).toBeLessThanOrEqual(concurrency);
  const short = timeouts.filter(({ shortened }) => shortened === true);
  expect(short.length).toBeGreaterThan(0);
  // How short depends on how long the answers of the endpoint took.
  for (const { afterMs } of short) expect(afterMs).toBeLessThan(timeoutMs);
  expect(report.requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(report.verdict).toBe('inconclusive');
});
