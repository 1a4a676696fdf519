import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { type Exchange, isExchange } from '../../types/exchange.ts';
import type { WaitReason } from '../../types/reasons/exchange-reasons.ts';
import type { RunLimits } from '../../types/limits.ts';
import type { OnWait } from '../../types/run.ts';
import { createReplyHistory } from '../../reading/reply-history.ts';
import { readReply } from '../../reading/reply.ts';
import type { RequestFacts } from '../../reading/request-facts.ts';
import { type Loopback, prepared, shownCredential, serveHttp, serveRaw } from '../loopback.fixture.ts';
import { createRedactor } from '../redaction/redact.ts';
import { type Prepared, WireClosed } from '../send.ts';
import { createWire } from '../wire.ts';
import type { ExchangeOptions } from './attempt-reading.ts';
import { type RetryPolicy, retryTable } from './policy.ts';

const token = 'sk-test-0123456789';
const redactor = createRedactor([{ value: token, label: 'default' }]);
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

/** A wire whose exchanges are noted as they end, as a run notes them. */
function wire(policy: Partial<RetryPolicy> = {}, onWait: OnWait = () => {}, limits: RunLimits = {}) {
  const history = createReplyHistory((id) => id === answeredControl, 1e-6);
  const made = createWire({
    timeoutMs: 5000,
    redactor,
    random: () => 0.5,
    policy: { backOffMs: 1, ...policy },
    history,
    onWait,
    limits,
  });
  open.push(made.close);
  const exchange = async (request: Prepared, options: ExchangeOptions): Promise<Exchange> => {
    const permit = options.isControl ? undefined : await made.enter();
    const done = await made
      .exchange(request, { ...options, ...(permit ? { permit } : {}) })
      .finally(() => permit?.release());
    history.note(options.isControl ? { ...done, repeats: done.id } : done, options.facts);
    return done;
  };
  return { ...made, exchange, isRefusal: history.isRefusal };
}

const answeredControl = 'chat.plain';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** Answers the first request with the first answer, and so on; the last answers all that follow. */
async function answering(...answers: readonly Answer[]): Promise<Loopback & { readonly seen: number[] }> {
  const seen: number[] = [];
  const server = await serveHttp((request, response) => {
    const answer = answers[Math.min(seen.length, answers.length - 1)];
    seen.push(performance.now());
    answer?.(response, request);
  });
  open.push(server.close);
  return { ...server, seen };
}

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end('{"error":"no"}');
const answer: Answer = (response) => response.end('{"output_text":"Hello"}');
const drop: Answer = (response) => response.destroy();

const options = (
  expected: RequestFacts['expect'] = 'either',
  more: Partial<RequestFacts> = {},
): ExchangeOptions => ({
  facts: {
    kind: 'kind',
    expect: expected,
    credential: expected === 'limited' ? 'spent' : 'right',
    isInvalidToken: false,
    isFollowing: false,
    ...more,
  },
  read: (record) => {
    const { kind } = readReply(record, 'responses');
    return kind === 'refusal' ? 'refused' : kind === 'transient' ? 'unclear' : 'answered';
  },
});
const last = ({ attempts }: Exchange) => attempts.at(-1);

describe('an exchange', () => {
  it('is the last attempt, with all before it in brief', async () => {
    const server = await answering(status(503), drop, answer);
    const exchange = await wire().exchange(prepared(server.url, token), options('answer'));
    expect(isExchange(exchange)).toBe(true);
    expect(exchange.response?.body.text).toBe('{"output_text":"Hello"}');
    expect(exchange.ending).toEqual({ kind: 'complete' });
    expect(
      exchange.attempts.map(({ status, ending, waitedMs, bytes }) => [status, ending.kind, waitedMs, bytes]),
    ).toEqual([
      [503, 'complete', 0, 14],
      [null, 'unreachable', 1, 0],
      [200, 'complete', 2, 23],
    ]);
    expect(exchange.attempts.map(({ retry }) => retry)).toEqual([
      { kind: 'transient', transient: { cause: 'status', status: 503 } },
      { kind: 'transient', transient: { cause: 'unreachable', detail: expect.any(String) } },
      undefined,
    ]);
    expect(exchange.timing.endMs).toBe(exchange.attempts.at(-1)?.ms);
  });

  it('shows its request without the credential', async () => {
    const server = await answering(answer);
    const exchange = await wire().exchange(prepared(server.url, token), options());
    expect(exchange.request.headers).toMatchObject({ authorization: shownCredential });
    expect(redactor.leaks(JSON.stringify(exchange))).toEqual([]);
  });

  it('takes a refusal that repeats, and an answer that follows one', async () => {
    const refusing = await answering(status(401));
    const refused = await wire().exchange(prepared(refusing.url, token), options('answer'));
    expect([refused.response?.status, refused.attempts.length]).toEqual([401, 2]);
    const wavering = await answering(status(401), answer);
    const answered = await wire().exchange(prepared(wavering.url, token), options('answer'));
    expect([answered.response?.status, answered.attempts.length]).toEqual([200, 2]);
  });

  it('gives up where a reply asks for too long a wait, and says so', async () => {
    const server = await answering(status(429, { 'retry-after': '3600' }));
    const exchange = await wire().exchange(prepared(server.url, token), options());
    expect(exchange.attempts).toHaveLength(1);
    expect(last(exchange)?.gaveUp).toEqual({ kind: 'retry-after-too-long', seconds: 3600 });
  });

  it('survives a connection that went stale while it was kept', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';
    const server = await serveRaw((socket, request) => {
      if (request === 2) socket.destroy();
      else socket.write(head);
    });
    open.push(server.close);
    const own = wire();
    await own.exchange(prepared(server.url, token), options());
    const second = await own.exchange(prepared(server.url, token), options());
    expect(second.attempts.map(({ ending }) => ending.kind)).toEqual(['unreachable', 'complete']);
  });
});

describe('a pause that a reply asks for', () => {
  it('holds up only its own exchange where one reply in between is limited', async () => {
    const server = await answering(status(429, { 'retry-after': '0.3' }), answer);
    const own = wire();
    const more = () => prepared(server.url, token, { credential: 'default' });
    const first = own.exchange(more(), options());
    while (server.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await own.exchange(more(), options())).attempts[0]?.waitedMs).toBe(0);
    expect((await first).attempts.length).toBe(2);
  });

  it('holds for all with the same credential after two limited replies in a row, and for no other', async () => {
    const limit = status(429, { 'retry-after': '0.8' });
    const server = await answering(limit, limit, answer);
    const own = wire();
    const more = (credential: string) => prepared(server.url, token, { credential });
    const first = Promise.all([
      own.exchange(more('default'), options('answer')),
      own.exchange(more('default'), options('answer')),
    ]);
    while (server.seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const [same, other] = [
      own.exchange(more('default'), options('answer')),
      own.exchange(more('coding-tool'), options('answer')),
    ];
    expect((await other).attempts[0]?.waitedMs).toBe(0);
    expect((await same).attempts[0]?.waitedMs).toBeGreaterThan(0);
    await first;
    const [, limited = 0, free = 0, ...paused] = server.seen;
    expect(free - limited).toBeLessThan(Math.min(...paused) - limited);
    expect(Math.min(...paused) - limited).toBeGreaterThanOrEqual(790);
  });

  it('is told before it begins, with what is waited for', async () => {
    const limit = status(429, { 'retry-after': '0.3' });
    const server = await answering(limit, limit, drop, answer);
    const waits: [number, WaitReason][] = [];
    const own = wire({}, (...wait) => waits.push(wait));
    await own.exchange(prepared(server.url, token, { credential: 'default' }), options());
    const limited = { kind: 'transient', transient: { cause: 'status', status: 429 } };
    expect(waits.map(([, why]) => why)).toEqual([
      limited,
      limited,
      {
        kind: 'transient',
        transient: { cause: 'unreachable', detail: 'other side closed (UND_ERR_SOCKET)' },
      },
    ]);
    expect(waits.every(([ms], at) => (at < 2 ? ms >= 300 : ms < 300))).toBe(true);
  });

  it('is not set by a limit that was hoped for', async () => {
    const server = await answering(status(429, { 'retry-after': '20' }), answer);
    const own = wire();
    const limited = await own.exchange(prepared(server.url, token, { credential: 'a' }), options('limited'));
    expect([limited.response?.status, limited.attempts.length]).toEqual([429, 1]);
    const next = await own.exchange(prepared(server.url, token, { credential: 'a' }), options());
    expect(next.attempts[0]?.waitedMs).toBe(0);
  });
});

describe('a route that came to nothing three times in a row', () => {
  it('is tried once an exchange, until one succeeds', async () => {
    let healthy = false;
    const server = await answering((response, request) =>
      (healthy ? answer : status(503))(response, request),
    );
    const own = wire({ attempts: 3, firstAttempts: 3, mostAttempts: 3 });
    const attempts = async (route: string): Promise<number> =>
      (await own.exchange(prepared(server.url, token, { route }), options())).attempts.length;
    expect([await attempts('a'), await attempts('a'), await attempts('a')]).toEqual([3, 3, 3]);
    expect([await attempts('a'), await attempts('b')]).toEqual([1, 3]);
    healthy = true;
    expect(await attempts('a')).toBe(1);
    healthy = false;
    expect(await attempts('a')).toBe(3);
  });
});

it('waits once for what comes to wrong requests each time, and once for what comes to valid ones', async () => {
  const server = await answering(status(429));
  const own = wire({ attempts: 6, firstAttempts: 6 });
  const attempts = async (expected: RequestFacts['expect']): Promise<number> =>
    (await own.exchange(prepared(server.url, token), options(expected))).attempts.length;
  expect([await attempts('refusal'), await attempts('refusal')]).toEqual([6, 4]);
  expect([await attempts('answer'), await attempts('answer')]).toEqual([6, 4]);
});

it('does not count what a spent token is told against its route', async () => {
  const answers = [...Array.from({ length: 3 }, () => status(503, { 'retry-after': '61' })), status(503)];
  const server = await answering(...answers);
  const own = wire({ attempts: 3, firstAttempts: 3 });
  const on = (expected: RequestFacts['expect']) =>
    own.exchange(prepared(server.url, token, { route: 'g' }), options(expected));
  for (const _ of [1, 2, 3])
    expect(last(await on('limited'))?.gaveUp).toEqual({ kind: 'retry-after-too-long', seconds: 61 });
  expect((await on('answer')).attempts).toHaveLength(3);
});

it('does not count a control that is refused against its route: it tells of its caller', async () => {
  const server = await answering(status(503));
  const own = wire({ attempts: 3, firstAttempts: 3, mostAttempts: 3 });
  const on = (more: Partial<ExchangeOptions>) =>
    own.exchange(prepared(server.url, token, { route: 'g' }), { ...options('answer'), ...more });
  for (const _ of [1, 2, 3]) await on({ isControl: true });
  expect((await on({})).attempts).toHaveLength(3);
});

it('tries a target once an exchange that has not replied to three in a row, on whatever route', async () => {
  let gone = true;
  const server = await answering((response, request) => {
    if (gone) response.destroy();
    else answer(response, request);
  });
  const own = wire({ attempts: 2, firstAttempts: 2 });
  const attempts = async (route: string): Promise<number> =>
    (await own.exchange(prepared(server.url, token, { route }), options())).attempts.length;
  expect([await attempts('a'), await attempts('b'), await attempts('c')]).toEqual([2, 2, 2]);
  expect([await attempts('d'), await attempts('e')]).toEqual([1, 1]);
  gone = false;
  expect(await attempts('f')).toBe(1);
  gone = true;
  expect(await attempts('g')).toBe(2);
});

it('stops at once when the wire is closed while it waits', async () => {
  const server = await answering(status(503, { 'retry-after': '30' }));
  const own = wire();
  const under = own.exchange(prepared(server.url, token), options()).catch((error) => error);
  while (server.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await own.close();
  expect(await under).toBeInstanceOf(WireClosed);
});

describe('a retryable reply to a request that may be refused', () => {
  /** What a control that is sent meanwhile comes to; how often it was sent. */
  const guarded = (name: string | null, expected: RequestFacts['expect'] = 'refusal') => {
    const asked: number[] = [];
    const control = async (begunAfter: number) => {
      asked.push(begunAfter);
      return name === null ? null : { id: name, answered: true };
    };
    return { asked, own: { ...options(expected), control } };
  };

  it('is the refusal once it was given four times, with a control answered in between', async () => {
    let count = 0;
    const server = await answering((response) => {
      count += 1;
      response.writeHead(503).end(`{"error":"No channel (request id: 20261121${count})"}`);
    });
    const { asked, own } = guarded('chat.plain');
    const sender = wire();
    const exchange = await sender.exchange(prepared(server.url, token), own);
    expect(exchange.attempts.map((attempt) => attempt.status)).toEqual([503, 503, 503, 503]);
    expect(exchange.attempts.map(({ control }) => control)).toEqual([
      undefined,
      undefined,
      'chat.plain',
      undefined,
    ]);
    expect(sender.isRefusal(exchange, own.facts)).toBe(true);
    expect(readReply(exchange, 'responses', { isKnownRefusal: true })).toMatchObject({
      kind: 'refusal',
      form: 'error-json',
    });
    const [first = 0, , third = 0] = server.seen;
    expect(asked).toHaveLength(1);
    expect(asked[0]).toBeGreaterThan(first);
    expect(asked[0]).toBeLessThan(third);
  });

  it('proves nothing where the control is not answered', async () => {
    const server = await answering(status(503));
    const { asked, own } = guarded(null);
    const sender = wire({ attempts: 6, firstAttempts: 6 });
    const exchange = await sender.exchange(prepared(server.url, token), own);
    expect([exchange.attempts.length, asked.length]).toEqual([6, 3]);
    expect(sender.isRefusal(exchange, own.facts)).toBe(false);
  });

  it('is the refusal, too, where other transient replies come between, and asks for a control until one is answered', async () => {
    const no: Answer = (response) => response.writeHead(503).end('{"error":"No channel"}');
    const busy = status(503);
    const server = await answering(no, no, no, busy, no, busy, no);
    const names = [null, 'chat.plain', 'never needed'];
    const asked: number[] = [];
    const control = async (begunAfter: number) => {
      asked.push(begunAfter);
      const id = names[asked.length - 1] ?? null;
      return id === null ? null : { id, answered: true };
    };
    const sender = wire({ attempts: 9, firstAttempts: 9 });
    const own = { ...options('refusal'), control };
    const exchange = await sender.exchange(prepared(server.url, token), own);
    expect(sender.isRefusal(exchange, own.facts)).toBe(true);
    expect(exchange.attempts).toHaveLength(7);
    expect([asked.length, new Set(asked).size]).toEqual([2, 1]);
  });

  it('proves nothing where the like was given to a request that was answered in the end', async () => {
    const server = await answering(status(503), answer, status(503));
    const own = wire({ attempts: 6, mostAttempts: 6 });
    await own.exchange(prepared(server.url, token), options('answer'));
    const { asked, own: guard } = guarded('chat.plain');
    const exchange = await own.exchange(prepared(server.url, token), guard);
    expect([exchange.attempts.length, asked.length]).toEqual([6, 0]);
    expect(own.isRefusal(exchange, guard.facts)).toBe(false);
  });

  it('proves nothing where the control got the like before it was answered', async () => {
    const server = await answering(status(503), answer, status(503));
    const own = wire({ attempts: 6, firstAttempts: 6, mostAttempts: 6 });
    const control = { ...options('answer'), isControl: true, maxAttempts: 1 } as const;
    for (const _ of [1, 2]) await own.exchange(prepared(server.url, token), control);
    const { asked, own: guard } = guarded('chat.plain');
    const exchange = await own.exchange(prepared(server.url, token), guard);
    expect([exchange.attempts.length, asked.length]).toEqual([6, 0]);
    expect(own.isRefusal(exchange, guard.facts)).toBe(false);
  });

  it('shows a spent limit, and for that no refusal of another kind', async () => {
    const server = await answering(status(529));
    const own = wire({ attempts: 5, firstAttempts: 5 });
    const { own: limit } = guarded('chat.plain', 'limited');
    const spent = [await own.exchange(prepared(server.url, token), limit)];
    spent.push(await own.exchange(prepared(server.url, token), limit));
    for (const exchange of spent) expect(own.isRefusal(exchange, limit.facts)).toBe(true);
    const other = await own.exchange(prepared(server.url, token), guarded('chat.plain').own);
    expect(other.attempts).toHaveLength(5);
    expect(own.isRefusal(other, options('refusal').facts)).toBe(false);
  });

  it('still shows a spent limit where another such exchange was told 429 after the like', async () => {
    const server = await answering(status(529), status(429), status(529));
    const own = wire({ attempts: 5, firstAttempts: 5 });
    const { own: limit } = guarded('chat.plain', 'limited');
    const exchanges = [await own.exchange(prepared(server.url, token), limit)];
    exchanges.push(await own.exchange(prepared(server.url, token), limit));
    expect(exchanges.map(({ attempts }) => attempts.map(({ status: each }) => each))).toEqual([
      [529, 429],
      [529, 529, 529, 529],
    ]);
  });

  it('is not known to pass where a spent limit is told the same by a status that can be judged', async () => {
    const server = await answering(status(500));
    const own = wire();
    await own.exchange(prepared(server.url, token), options('limited'));
    const other = await own.exchange(prepared(server.url, token), options('refusal'));
    expect(other.attempts).toHaveLength(2);
  });

  it('is the refusal once it repeats where only Retry-After tells it from one, and holds nobody up', async () => {
    const server = await answering(status(401, { 'retry-after': '0.2' }));
    const own = wire({ backOffMs: 10 });
    const more = () =>
      own.exchange(prepared(server.url, token, { credential: 'default' }), options('refusal'));
    const [first, second] = [await more(), await more()];
    expect(first.attempts.map(({ waitedMs }) => waitedMs)).toEqual([0, 200]);
    expect(second.attempts).toHaveLength(1);
    for (const exchange of [first, second])
      expect(own.isRefusal(exchange, options('refusal').facts)).toBe(true);
  });

  it('is never one where a bot filter gives it', async () => {
    const server = await answering(status(503, { 'cf-mitigated': 'challenge', 'content-type': 'text/html' }));
    const { asked, own } = guarded('chat.plain');
    const sender = wire();
    const exchange = await sender.exchange(prepared(server.url, token), own);
    expect([exchange.attempts.length, asked.length]).toEqual([6, 0]);
    expect(sender.isRefusal(exchange, own.facts)).toBe(false);
  });
});

it('lets no exchange lose each time where a credential may send but one in a while', async () => {
  let next = 0;
  const server = await answering((response, request) => {
    if (performance.now() < next) return status(429)(response, request);
    next = performance.now() + 20;
    answer(response, request);
  });
  const own = wire({ backOffMs: 5, passedBackOffMs: 40 });
  const all = await Promise.all(
    Array.from({ length: 60 }, () =>
      own.exchange(prepared(server.url, token, { credential: 'a' }), options('answer')),
    ),
  );
  expect(new Set(all.map(({ response }) => response?.status))).toEqual(new Set([200]));
});

it('sends fewer at once to a target that takes but two, until each is answered', async () => {
  let live = 0;
  const server = await answering((response) => {
    if (live >= 2) return status(429, { 'retry-after': '0.05' })(response, response.req);
    live += 1;
    setTimeout(() => {
      live -= 1;
      answer(response, response.req);
    }, 5);
  });
  const own = wire({ backOffMs: 10 });
  const all = await Promise.all(
    Array.from({ length: 60 }, () =>
      own.exchange(prepared(server.url, token, { credential: 'a' }), options()),
    ),
  );
  expect(new Set(all.map(({ response }) => response?.status))).toEqual(new Set([200]));
  expect(server.seen.length).toBeLessThan(180);
});

it('sends as many at once as before when a target is no longer busy', async () => {
  let live = 0;
  let refused = 0;
  const crowds: number[] = [];
  const server = await answering((response, request) => {
    if (live >= 1 && refused < 16) {
      refused += 1;
      return status(429)(response, request);
    }
    live += 1;
    if (refused === 16) crowds.push(live);
    setTimeout(() => {
      live -= 1;
      answer(response, request);
    }, 4);
  });
  const own = wire({ backOffMs: 5, passedBackOffMs: 10 });
  const ask = () => own.exchange(prepared(server.url, token, { credential: 'a' }), options('answer'));
  await Promise.all(Array.from({ length: 500 }, ask));
  expect(Math.max(...crowds.slice(0, 20))).toBeLessThan(4);
  expect(Math.max(...crowds.slice(-100))).toBeGreaterThan(6);
});

describe('a target that has never given a reply that can be judged', () => {
  const impatient = { giveUpMs: 150, giveUpAttempts: 4, attempts: 100, firstAttempts: 100 };

  it('is given up after a while, and nothing more is sent', async () => {
    const server = await answering(status(503));
    const own = wire({ ...impatient });
    const exchange = await own.exchange(prepared(server.url, token), options('answer'));
    expect(last(exchange)?.gaveUp).toEqual({
      kind: 'target-given-up',
      attempts: exchange.attempts.length,
      seconds: 0,
      last: { cause: 'status', status: 503 },
    });
    const seen = server.seen.length;
    expect(seen).toBeGreaterThanOrEqual(4);
    const next = await own.exchange(prepared(server.url, token), options('answer')).catch((error) => error);
    expect(next).toBeInstanceOf(WireClosed);
    expect(next.reason).toBe(own.closed());
    expect([own.closed(), server.seen.length]).toEqual([last(exchange)?.gaveUp, seen]);
  });

  it('is given up sooner where all its replies are alike, and none names a time', async () => {
    const patient = { ...impatient, giveUpMs: 60_000, giveUpAlikeMs: 150 };
    const alike = await answering(status(502));
    const own = wire(patient);
    await own.exchange(prepared(alike.url, token), options('answer'));
    expect(own.closed()?.kind).toBe('target-given-up');
    const unlike = await answering(status(502), status(503));
    const other = wire({ ...patient, attempts: 12, firstAttempts: 12 });
    await other.exchange(prepared(unlike.url, token), options('answer'));
    expect(other.closed()).toBe(undefined);
  });

  it('is given up while others wait for it', async () => {
    const server = await answering(status(503, { 'retry-after': '30' }), status(503));
    const own = wire({ ...impatient });
    const waiting = own.exchange(prepared(server.url, token), options('answer')).catch((error) => error);
    while (server.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await own.exchange(prepared(server.url, token), options('answer'));
    expect(await waiting).toBeInstanceOf(WireClosed);
  });

  it('is not given up before it was asked often enough', async () => {
    const server = await answering((response) => setTimeout(() => response.destroy(), 100));
    const own = wire({
      ...impatient,
      table: { ...retryTable, unreachable: { ...retryTable.unreachable, attempts: 3 } },
    });
    await own.exchange(prepared(server.url, token), options('answer'));
    expect(own.closed()).toBe(undefined);
  });

  it('is another than one that gave a single one', async () => {
    const server = await answering(answer, status(503));
    const own = wire({ ...impatient, attempts: 11 });
    await own.exchange(prepared(server.url, token), options('answer'));
    const failed = await own.exchange(prepared(server.url, token), options('answer'));
    expect([failed.attempts.length, own.closed()]).toEqual([11, undefined]);
  });
});

it('waits no more for a credential that was only ever limited', async () => {
  const server = await answering(answer, status(429, { 'retry-after': '0.2' }));
  const own = wire({ giveUpMs: 500, attempts: 8 });
  const of = (credential: string) =>
    own.exchange(prepared(server.url, token, { credential }), options('answer'));
  await of('b');
  expect((await of('a')).attempts.length).toBeGreaterThan(1);
  const after = await Promise.all([of('a'), of('a'), of('a')]);
  expect(after.map(({ attempts }) => attempts.length)).toEqual([1, 1, 1]);
  for (const { waitedMs } of after.flatMap(({ attempts }) => attempts)) expect(waitedMs).toBeLessThan(150);
  expect(own.closed()).toBe(undefined);
});

it('sends a valid request between wrong logins once one of them is over, however slow they are', async () => {
  const server = await serveHttp((request, response) => {
    if (request.headers.authorization?.endsWith(token)) answer(response, request);
    else setTimeout(() => status(401)(response, request), 100);
  });
  open.push(server.close);
  const own = wire();
  let controls = 0;
  const control: NonNullable<ExchangeOptions['control']> = async () => {
    controls += 1;
    const { response } = await own.exchange(prepared(server.url, token), {
      ...options('answer'),
      isControl: true,
    });
    return { id: answeredControl, answered: response?.status === 200 };
  };
  const logins = Array.from({ length: 8 }, (_, at) =>
    own.exchange(prepared(server.url, `wrong-${at}`, { credential: `wrong-${at}` }), {
      ...options('either', { credential: 'wrong' }),
      control,
    }),
  );
  const sent = (await Promise.all(logins)).flatMap(({ attempts }) => attempts);
  expect(controls).toBeGreaterThan(0);
  expect(controls).toBeLessThanOrEqual(sent.length);
});

it('ends with the run where wrong logins wait for others whose turn has not come', async () => {
  const server = await answering(status(401));
  const own = wire({}, () => {}, { rate: { requests: 1, windowMs: 60_000 } });
  const control = async () => ({ id: answeredControl, answered: true });
  const logins = Array.from({ length: 8 }, () =>
    own.exchange(prepared(server.url, token, { credential: 'wrong' }), {
      ...options('either', { credential: 'wrong' }),
      control,
    }),
  );
  const ended = Promise.allSettled(logins);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await own.close();
  const reasons = (await ended).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  // The rate lets one of them go.
  expect(reasons).toEqual(logins.slice(1).map(() => expect.any(WireClosed)));
});
