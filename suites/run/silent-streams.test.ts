import { request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { targetFor } from '../../fixtures/gateway/describe.ts';
import { createGateway } from '../../fixtures/gateway/gateway.ts';
import { judgeRun } from '../judge/judge-run.ts';
import { everything, planRun } from '../plan/plan.ts';
import { type Evidence, isExchange } from '../types/exchange.ts';
import { serveHttp } from '../wire/loopback.fixture.ts';
import { executePlan } from './execute-plan.ts';

/** What a target does in place of a stream; `upstream` is the one that a conformant gateway would send. */
type Hang = (response: ServerResponse, upstream: IncomingMessage) => void;

const sse = { 'content-type': 'text/event-stream' };

const hangs: readonly (readonly [string, Hang])[] = [
  ['stays silent', (_, upstream) => upstream.resume()],
  [
    'stalls after some text',
    (response, upstream) => {
      response.writeHead(200, sse);
      upstream.once('data', (bytes: Buffer) => response.write(bytes.subarray(0, bytes.length - 1)));
      upstream.resume();
    },
  ],
  [
    'sends comments only, without end',
    (response, upstream) => {
      upstream.resume();
      response.writeHead(200, sse);
      const timer = setInterval(() => response.write(': ping\n\n'), 20);
      response.on('close', () => clearInterval(timer));
    },
  ],
];

/** A gateway before which something lets each stream hang that is accepted. */
const hanging = (port: string, hang: Hang) =>
  serveHttp((request, response) => {
    const { method, url, headers } = request;
    const onward = send({ port, path: url, method, headers }, (upstream) => {
      const isStream = upstream.headers['content-type']?.includes('event-stream') ?? false;
      if (isStream) return hang(response, upstream);
      response.writeHead(upstream.statusCode ?? 500, upstream.headers);
      upstream.pipe(response);
    });
    request.pipe(onward);
  });

const [concurrency, timeoutMs] = [4, 1_000];

async function judged(hang: Hang) {
  const settings = defaultConsole();
  const gateway = await createGateway({ console: settings }).listen();
  const before = await hanging(new URL(gateway.url).port, hang);
  const target = targetFor(settings, before.url);
  const asked = { seed: 1, selection: everything };
  const plan = planRun(target, { ...asked, profile: 'smoke', skipCostly: false });
  const policy = { backOffMs: 1, outageBackOffMs: 1 };
  const ran = await executePlan(target, plan, { ...asked, concurrency, timeoutMs, policy });
  await before.close();
  await gateway.close();
  return {
    evidence: ran.evidence,
    report: judgeRun(target, plan, ran.evidence, { ...asked, ...ran, runId: 'run' }),
  };
}

const timeoutsIn = (evidence: Evidence) =>
  [...evidence.values()]
    .filter(isExchange)
    .flatMap(({ attempts }) => attempts)
    .flatMap(({ ending }) => (ending.kind === 'timeout' ? [ending] : []));

test.each(hangs)('where every stream %s, those under way alone get the whole time', async (_, hang) => {
  const { evidence, report } = await judged(hang);
  const timeouts = timeoutsIn(evidence);
  const whole = timeouts.filter(({ shortened }) => shortened !== true);
  expect(whole.length).toBeGreaterThan(0);
  expect(whole.length).toBeLessThanOrEqual(concurrency);
  const short = timeouts.filter(({ shortened }) => shortened === true);
  expect(short.length).toBeGreaterThan(0);
  for (const { afterMs } of short) expect(afterMs).toBeLessThan(timeoutMs / 2);
  expect(report.requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(report.verdict).toBe('inconclusive');
});
