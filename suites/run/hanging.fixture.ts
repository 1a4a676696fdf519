import { request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { targetFor } from '../../fixtures/gateway/describe.ts';
import { createGateway } from '../../fixtures/gateway/gateway.ts';
import type { Profile } from '../types/profile.ts';
import { judgeRun } from '../judge/judge-run.ts';
import { everything, planRun } from '../plan/plan.ts';
import { type Evidence, isExchange } from '../types/exchange.ts';
import { serveHttp } from '../wire/loopback.fixture.ts';
import { executePlan } from './execute-plan.ts';

/** What a target does in place of a reply; `upstream` is the one that a conformant gateway would send. */
export type Hang = (response: ServerResponse, upstream: IncomingMessage) => void;

const headOf = ({ statusCode = 500, headers }: IncomingMessage) =>
  [statusCode, { 'content-type': headers['content-type'] ?? 'text/plain' }] as const;

export const staysSilent: Hang = (_, upstream) => void upstream.resume();

export const stalls: Hang = (response, upstream) => {
  response.writeHead(...headOf(upstream));
  upstream.once('data', (bytes: Buffer) => response.write(bytes.subarray(0, bytes.length - 1)));
  upstream.resume();
};

/** Sends the same piece without end, behind the head of the reply. */
export const drips =
  (piece: string): Hang =>
  (response, upstream) => {
    upstream.resume();
    response.writeHead(...headOf(upstream));
    const timer = setInterval(() => response.write(piece), 20);
    response.on('close', () => clearInterval(timer));
  };

export const isStream = ({ headers }: IncomingMessage): boolean =>
  headers['content-type']?.includes('event-stream') ?? false;

/** A gateway before which something lets some replies hang. */
const hanging = (port: string, hang: Hang, isHung: (upstream: IncomingMessage) => boolean) =>
  serveHttp((request, response) => {
    const { method, url, headers } = request;
    const onward = send({ port, path: url, method, headers }, (upstream) => {
      if (isHung(upstream)) return hang(response, upstream);
      response.writeHead(upstream.statusCode ?? 500, upstream.headers);
      upstream.pipe(response);
    });
    request.pipe(onward);
  });

/** What a run of one profile brings, and how it is judged, where some replies hang. */
export async function judgedWhere(
  isHung: (upstream: IncomingMessage) => boolean,
  hang: Hang,
  { profile, ...options }: { profile: Profile; concurrency: number; timeoutMs: number },
) {
  const settings = defaultConsole();
  const gateway = await createGateway({ console: settings }).listen();
  const before = await hanging(new URL(gateway.url).port, hang, isHung);
  const target = targetFor(settings, before.url);
  const asked = { seed: 1, selection: everything };
  const plan = planRun(target, { ...asked, profile, skipCostly: false });
  const policy = { backOffMs: 1, outageBackOffMs: 1 };
  const ran = await executePlan(target, plan, { ...asked, ...options, policy });
  await before.close();
  await gateway.close();
  return {
    evidence: ran.evidence,
    report: judgeRun(target, plan, ran.evidence, { ...asked, ...ran, runId: 'run' }),
  };
}

/** The attempts that ran out of time: what they were given, when they began, and how long they took. */
export const timeoutsIn = (evidence: Evidence) =>
  [...evidence.values()]
    .filter(isExchange)
    .flatMap(({ attempts }) => attempts)
    .flatMap(({ ending, startedAt, ms }) =>
      ending.kind === 'timeout'
        ? [{ afterMs: ending.afterMs, shortened: ending.shortened, startedAt, ms }]
        : [],
    );
