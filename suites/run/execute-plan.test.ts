import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, fetch } from 'undici';
import { describe, expect, it } from 'vitest';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import type { Context, Reply } from '../../fixtures/gateway/context.ts';
import { targetFor } from '../../fixtures/gateway/describe.ts';
import { createGateway } from '../../fixtures/gateway/gateway.ts';
import type { Hooks } from '../../fixtures/gateway/hooks.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { judgeRun } from '../judge/judge-run.ts';
import { type Exchange, isExchange } from '../types/exchange.ts';
import { nearMisses, type PlannedRequest } from '../types/plan.ts';
import type { Report } from '../types/report.ts';
import type { RunHooks, RunOptions, Selection } from '../types/run.ts';
import { everything } from '../plan/plan.ts';
import { nearMissToken } from './near-miss-token.ts';
import { executePlan } from './execute-plan.ts';
import { planned } from '../plan/planned.fixture.ts';
import { scopeOf } from '../types/scope.ts';

const settings = defaultConsole();

interface Served extends AsyncDisposable {
  readonly target: Target;
}

/** Serves on a free port of this machine for as long as a test runs. */
async function serve(listener: RequestListener): Promise<Served> {
  const server = createServer(listener);
  // So that none is closed while a request is sent on it.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    target: targetFor(settings, `http://127.0.0.1:${port}`),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function gateway(hooks: Hooks): Promise<Served> {
  const listening = await createGateway({ console: settings, hooks }).listen();
  return { target: targetFor(settings, listening.url), [Symbol.asyncDispose]: () => listening.close() };
}

/** Runs and judges as `run` does. */
async function run(target: Target, more: Partial<RunOptions> = {}, hooks: RunHooks = {}) {
  const options: RunOptions = { seed: 1, concurrency: 8, timeoutMs: 5000, selection: everything, ...more };
  const plan = planned(scopeOf(target), options.selection);
  const ran = await executePlan(target, plan, options, hooks);
  const report = judgeRun(target, plan, ran.evidence, { runId: 'run', selection: options.selection, ...ran });
  return { plan, report, ran, evidence: ran.evidence };
}

const gating = ({ requirements }: Report) =>
  requirements.filter(({ level }) => level === 'stated' || level === 'derived');
const of = (report: Report, verdict: string) =>
  gating(report)
    .filter((row) => row.verdict === verdict)
    .map(({ id }) => id);
const selecting = (selection: Partial<Selection>): Selection => ({ ...everything, ...selection });
const twoAreas = selecting({ suites: ['families', 'errors'] });

describe('a target that is no gateway', () => {
  it('passes no requirement that gates by answering 404 to everything', async () => {
    let requests = 0;
    await using server = await serve((request, response) => {
      requests += 1;
      request.resume();
      response.writeHead(404, { 'content-type': 'text/html' }).end('<!doctype html><h1>Not Found</h1>');
    });
    const { report } = await run(server.target);
    expect(of(report, 'pass')).toEqual([]);
    expect(report.verdict).not.toBe('conformant');
    expect(report.run).toMatchObject({ requests, billedGenerations: 0, partial: true });
  });

  it('ends soon and is inconclusive where it hangs', async () => {
    await using server = await serve((request) => request.resume());
    const started = performance.now();
    const { report } = await run(server.target, { timeoutMs: 100 });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect([...of(report, 'pass'), ...of(report, 'fail')]).toEqual([]);
    expect(report.verdict).toBe('inconclusive');
  });
});

describe('a target that refuses every stream', () => {
  it('fails for that alone, and nothing that hangs on a stream is left undecided', async () => {
    await using served = await gateway({
      check: (problems, { body }) =>
        body.stream === true
          ? [...problems, { parameter: 'stream', kind: 'allowed', message: 'No streams' }]
          : problems,
    });
    const { report } = await run(served.target);
    const protocols = ['responses', 'messages', 'chat'];
    expect(of(report, 'fail')).toEqual(protocols.map((protocol) => `${protocol}.param.stream.accepted`));
    expect(of(report, 'inconclusive')).toEqual([]);
    expect(report.requirements.find(({ id }) => id === 'chat.stream.text')).toMatchObject({
      verdict: 'untested',
      code: 'no-stream-answered',
    });
  });
});

describe('a run that is stopped', () => {
  it('is partial, ends at once, and records what was not sent', async () => {
    await using server = await serve((request) => request.resume());
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    const started = performance.now();
    const { report, plan, evidence } = await run(server.target, { signal: stop.signal, timeoutMs: 20_000 });
    expect(performance.now() - started).toBeLessThan(5000);
    expect(report.run.partial).toBe(true);
    expect(report.verdict).toBe('inconclusive');
    expect(evidence.size).toBe(plan.requests.length);
    expect(
      [...evidence.values()].some((entry) => !isExchange(entry) && entry.unsent.kind === 'stopped'),
    ).toBe(true);
    expect([...of(report, 'pass'), ...of(report, 'fail')]).toEqual([]);
  });

  it('ends when its time is up, and says so wherever nothing was sent', async () => {
    await using server = await serve((request) => request.resume());
    const { report, ran, evidence } = await run(server.target, { longestMs: 200, timeoutMs: 20_000 });
    const why = { kind: 'duration-spent', seconds: 0.2 } as const;
    expect([ran.stopped, report.run.partial, report.verdict]).toEqual([why, true, 'inconclusive']);
    expect(
      [...evidence.values()].filter((entry) => !isExchange(entry) && entry.unsent.kind === why.kind),
    ).not.toEqual([]);
    expect([...of(report, 'pass'), ...of(report, 'fail')]).toEqual([]);
  });

  it('is whole where its time was up only after all was recorded', async () => {
    await using server = await gateway({});
    const { report, ran } = await run(server.target, { longestMs: 60_000, selection: twoAreas });
    expect([ran.stopped, report.run.partial]).toEqual([undefined, false]);
  });

  it('keeps what it had seen', async () => {
    await using server = await gateway({});
    const stop = new AbortController();
    let seen = 0;
    const onEvidence: RunHooks['onEvidence'] = (entry) => {
      seen += isExchange(entry) ? 1 : 0;
      if (seen === 20) stop.abort();
    };
    const { report } = await run(server.target, { signal: stop.signal }, { onEvidence });
    expect(report.run.partial).toBe(true);
    expect(report.exchanges.length).toBeGreaterThanOrEqual(20);
    expect(report.exchanges.length).toBeLessThan(100);
    expect(report.verdict).toBe('inconclusive');
    expect(of(report, 'fail')).toEqual([]);
  });
});

/** A request as the target got it. */
interface Got {
  readonly method: string;
  readonly path: string;
  readonly credential: string;
  readonly version: string;
  readonly accept: string;
  readonly type: string;
  readonly group: string;
  readonly body: string;
}

const keyOf = (got: Got): string => JSON.stringify(Object.values(got));

const headerOf = (headers: Readonly<Record<string, string | string[] | undefined>>, name: string) =>
  String(headers[name] ?? '');

const gotOf = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
  target: Target,
): Got => ({
  method,
  path,
  credential: JSON.stringify([headers.authorization, headers['x-api-key']]),
  version: headerOf(headers, target.versionHeader.name),
  accept: headerOf(headers, 'accept'),
  type: headerOf(headers, 'content-type'),
  group: JSON.stringify([headers['x-group'], headers['x-consumer-groups']]),
  body,
});

/** The same, from the evidence: the tokens stand there as variables. */
function sentOf({ request }: Exchange, target: Target): Got {
  const tokens = Object.values(target.tokens);
  const stands = [
    ...tokens.flatMap((token) => nearMisses.flatMap((how) => nearMissToken(token, how, target) ?? [])),
    ...tokens.map(({ variable, value }) => ({ shown: `\${${variable}}`, value })),
  ];
  const filled = (text: string): string =>
    stands.reduce((all, { shown, value }) => all.replaceAll(shown, () => value), text);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), filled(value)]),
  );
  return gotOf(request.method, new URL(request.url).pathname, headers, request.body ?? '', target);
}

/** Keeps no connection, for one that is closed while a request is sent on it would be one more attempt. */
const unkept = new Agent({ pipelining: 0 });

/** A gateway behind a front that writes down, in order, what it gets. */
async function recorded(options: Partial<RunOptions> = {}) {
  await using behind = await gateway({});
  const log: Got[] = [];
  await using front = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { method = '', url = '', headers } = request;
    log.push(gotOf(method, url, headers, body.toString('utf8'), behind.target));
    const kept = Object.entries(headers).filter(
      ([name]) => !['host', 'connection', 'content-length', 'transfer-encoding', 'expect'].includes(name),
    );
    const answer = await fetch(behind.target.baseUrl + url, {
      method,
      headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
      ...(method === 'GET' ? {} : { body }),
      dispatcher: unkept,
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  });
  const conducted = await run(front.target, options);
  return { ...conducted, log, target: front.target };
}

const counted = (keys: readonly string[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
};

describe('a conformant gateway', async () => {
  const { plan, report, evidence, log, target } = await recorded();
  const exchanges = [...evidence.values()].filter(isExchange);
  const keys = new Map(exchanges.map((exchange) => [exchange.id, keyOf(sentOf(exchange, target))]));
  const places = new Map<string, number[]>();
  for (const [place, got] of log.entries())
    places.set(keyOf(got), [...(places.get(keyOf(got)) ?? []), place]);
  const isIn =
    (...stages: readonly string[]) =>
    (request: PlannedRequest) =>
      stages.includes(request.stage) && keys.has(request.id);
  const first = ({ id }: PlannedRequest) => Math.min(...(places.get(keys.get(id) ?? '') ?? []));
  const last = ({ id }: PlannedRequest) => Math.max(...(places.get(keys.get(id) ?? '') ?? []));

  it('is conformant', () => {
    expect(of(report, 'fail')).toEqual([]);
    expect(
      report.requirements
        .filter((row) => row.verdict === 'inconclusive' && row.nonGating === undefined)
        .map(({ id }) => id),
    ).toEqual([]);
    expect(report.verdict).toBe('conformant');
  });

  it('gets exactly what is recorded, attempt by attempt', () => {
    const recordedKeys = exchanges.flatMap(({ id, attempts }) => attempts.map(() => keys.get(id) ?? ''));
    expect(counted(log.map(keyOf))).toEqual(counted(recordedKeys));
    expect(log).toHaveLength(report.run.requests);
  });

  it('gets nothing twice, but for the streams, the controls, and a refusal that is confirmed', () => {
    const confirmed = exchanges.filter(({ attempts }) => attempts.length > 1);
    expect(
      confirmed.filter(({ attempts }) =>
        attempts.some(({ retry }) => retry !== undefined && retry.kind !== 'confirm-refusal'),
      ),
    ).toEqual([]);
    const once = exchanges
      .filter(({ id }) => !confirmed.some((exchange) => exchange.id === id))
      .map(({ id }) => id);
    const twice = once.filter((id) => (places.get(keys.get(id) ?? '') ?? []).length > 1);
    const conformant =
      /\.plain(\.after)?$|^cell\.image\.images|\.rate-limited\.\d$|\.auth\.invalid\.\w+$|\.stream(\.|$)/;
    // A stream is asked again where its timing was disturbed: by whatever else this machine does.
    const timed = new Set(plan.requests.filter(isIn('timed')).map(({ id }) => keys.get(id)));
    expect(once.length).toBeGreaterThan(300);
    expect(twice.filter((id) => !conformant.test(id) && !timed.has(keys.get(id)))).toEqual([]);
  });

  it('is billed for no more than the plan says', () => {
    const planned = plan.requests
      .filter(({ id }) => keys.has(id))
      .reduce((sum, { billed }) => sum + billed, 0);
    expect(report.run.billedGenerations).toBeGreaterThan(50);
    expect(report.run.billedGenerations).toBeLessThanOrEqual(planned);
  });

  it('gets valid requests and refused ones beside each other on each path, and the control last', () => {
    for (const path of new Set(plan.requests.map((request) => request.path))) {
      const here = plan.requests.filter((request) => request.path === path);
      const valid = here.filter(isIn('lanes')).filter((request) => request.expect === 'answer');
      const wrong = here.filter(isIn('lanes')).filter((request) => request.expect === 'refusal');
      const after = here.filter(isIn('after'));
      // What is broken off goes behind the control, and is none.
      const controls = after.filter(({ when }) => when.every(({ kind }) => kind !== 'recorded'));
      expect(controls, path).toHaveLength(1);
      const behind = after.filter((request) => !controls.includes(request));
      for (const request of behind)
        expect(first(request), path).toBeGreaterThan(Math.max(...controls.map(last)));
      expect(wrong.length, path).toBeGreaterThan(20);
      expect(Math.min(...wrong.map(first)), path).toBeLessThan(Math.min(...valid.map(last)));
      expect(Math.max(...valid.map(last)), path).toBeGreaterThan(Math.min(...wrong.map(first)));
      expect(Math.max(...[...valid, ...wrong].map(last)), path).toBeLessThan(Math.min(...after.map(last)));
    }
  });
});

describe('the hooks of a run', () => {
  it('tell each entry once', async () => {
    await using server = await gateway({});
    const told: string[] = [];
    const hooks: RunHooks = { onEvidence: ({ id }) => void told.push(id) };
    const { plan } = await run(server.target, { selection: twoAreas }, hooks);
    expect([...told].sort()).toEqual(plan.requests.map(({ id }) => id).sort());
  });
});

describe('a gateway that locks a model after one bad request', () => {
  /** From the first refusal of a valid token on, each request to that model is put off. */
  const locking = (reply: Reply, { body, state, token }: Context): Reply => {
    const lock = `locked ${String(body.model)}`;
    if (state.has(lock)) return { ...reply, status: 503, headers: { 'retry-after': '120' }, pieces: [] };
    if (reply.status >= 400 && token !== null) state.set(lock, true);
    return reply;
  };

  it('fails nothing, and passes nothing that rests on the control', async () => {
    await using server = await gateway({ reply: locking });
    const selection = selecting({
      suites: ['families', 'results', 'parameters', 'authentication', 'errors'],
    });
    const { report, plan } = await run(server.target, { selection });
    expect(of(report, 'fail')).toEqual([]);
    const resting = plan.cases.filter(({ check }) => check.kind === 'refused' && check.after !== '');
    const verdicts = new Map(report.cases.map(({ id, verdict }) => [id, verdict]));
    expect(resting.length).toBeGreaterThan(100);
    expect(resting.filter(({ id }) => verdicts.get(id) === 'pass').map(({ id }) => id)).toEqual([]);
    expect(report.cases.find(({ id }) => id === 'families.chat.endpoint.after')).toMatchObject({
      verdict: 'inconclusive',
    });
    expect(of(report, 'pass')).toEqual(
      expect.arrayContaining(['chat.result.id', 'messages.result.content', 'chat.auth.accepted']),
    );
    expect(report.verdict).toBe('inconclusive');
  });
});
