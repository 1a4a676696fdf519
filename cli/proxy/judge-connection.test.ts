import { expect, it, onTestFinished } from 'vitest';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { targetFor } from '../../fixtures/gateway/describe.ts';
import { createGateway } from '../../fixtures/gateway/gateway.ts';
import { createForwarder } from '../../suites/proxy/forward.ts';
import { emptyRoom, roomIn } from '../../suites/proxy/memory-limit.ts';
import { createWatch } from '../../suites/proxy/observe.ts';
import { listening } from '../../suites/wire/loopback.fixture.ts';
import { testFolder } from '../folder.fixture.ts';
import { type JudgeConnection, startJudge } from './live-proxy.ts';

const dir = testFolder('judge-connection');

/** A thread of its own code. */
const thread = (code: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads';\n${code}`)}`,
  );
const opens = "parentPort.postMessage({ kind: 'open' });";

/** A proxy in front of the reference gateway whose judge runs that code. */
async function proxyWith(code: string) {
  const gateway = await createGateway().listen();
  const target = targetFor(defaultConsole(), gateway.url);
  const [room, told] = [emptyRoom(), [] as string[]];
  let judge: JudgeConnection | undefined;
  const { watch, counts, stop } = createWatch(roomIn(room), (id, passed) => judge?.record(id, passed));
  const tell = (why: string): void => {
    stop();
    told.push(why);
  };
  judge = startJudge(
    { target, dir, startedAt: new Date().toISOString(), maxEvidence: 10_000, room },
    { onFull: tell, onLost: tell },
    thread(code),
  );
  await judge.opened;
  const server = await listening(createForwarder(new URL(target.baseUrl), watch));
  onTestFinished(async () => {
    await judge?.close();
    await server.close();
    await gateway.close();
  });
  const ask = async (): Promise<number> => {
    const reply = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${target.tokens.default?.value}`,
      },
      body: JSON.stringify({
        model: target.models.multimodal,
        messages: [{ role: 'user', content: 'Hello' }],
      }),
    });
    await reply.text();
    return reply.status;
  };
  return { judge, told, counts, ask };
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds() && tries < 1_000; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
}

it.each([
  ['throws', "throw new Error('no more room');", /^no more room$/],
  ['ends', 'process.exit(7);', /^exit code 7$/],
])(
  'where the thread that judges %s, it is told once, everything still passes, and nothing is judged',
  async (_, deed, why) => {
    const { judge, told, counts, ask } = await proxyWith(
      `parentPort.on('message', () => { ${deed} });\n${opens}`,
    );
    expect(await ask()).toBe(200);
    await until(() => told.length > 0);
    expect(told).toEqual([expect.stringMatching(why)]);
    expect([await ask(), await ask()]).toEqual([200, 200]);
    expect(told).toHaveLength(1);
    expect(counts()).toEqual({ passed: 3, aside: [['not-recorded', 2]] });
    const lost = expect.objectContaining({
      name: 'NotJudgedError',
      message: expect.stringContaining(`\`judge ${dir}\``),
    });
    await expect(judge.report(counts())).rejects.toEqual(lost);
    await expect(judge.end(counts())).rejects.toEqual(lost);
  },
);

it('a thread that ends before it is open is told to whoever waits for that, and to nobody else', async () => {
  const told: string[] = [];
  const tell = (why: string): void => void told.push(why);
  const target = targetFor(defaultConsole(), 'http://127.0.0.1:9');
  const startedAt = new Date().toISOString();
  const setup = { target, dir, startedAt, maxEvidence: 10_000, room: emptyRoom() };
  const judge = startJudge(setup, { onFull: tell, onLost: tell }, thread("throw new Error('no build');"));
  await expect(judge.opened).rejects.toThrow('has ended: no build');
  expect(told).toEqual([]);
});

it('a report that is under way when the thread ends is not waited for', async () => {
  const { judge, counts } = await proxyWith(`parentPort.on('message', () => process.exit(7));\n${opens}`);
  await expect(judge.report(counts())).rejects.toThrow('has ended: exit code 7');
});

it('an order that fails is an error of its kind, and the next one is carried out', async () => {
  const answers = [
    { kind: 'failed', message: 'full disk', isUsage: true },
    { kind: 'failed', message: 'a bug', isUsage: false },
    { kind: 'report', passed: 1, judged: 1, failing: 0, failed: 0 },
  ];
  const { judge, counts } = await proxyWith(
    `const answers = ${JSON.stringify(answers)};\nparentPort.on('message', () => parentPort.postMessage(answers.shift()));\n${opens}`,
  );
  const report = () => judge.report(counts()).catch(({ name, message }: Error) => `${name}: ${message}`);
  expect(await Promise.all([report(), report(), report()])).toEqual([
    'UsageError: full disk',
    'Error: a bug',
    answers[2],
  ]);
});
