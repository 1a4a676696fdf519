// What the proxy adds to the first byte of a stream.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';

/** Rounds, requests to each in a round, and before the first, while what is used is compiled. */
const [rounds, turns, warmUp] = [11, 300, 300];

/** Ways to be measured: with so many streams open through the proxy, and further arguments of it. */
const ways = [
  { title: 'nothing else open', streams: 0, args: [] },
  { title: '50 streams open, --every 5s', streams: 50, args: ['--every', '5s'] },
];

/** Starts a script, and gives what its output matches. */
async function started(file, args, pattern) {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const found = await new Promise((done, failed) => {
    let text = '';
    child.stdout.on('data', (piece) => {
      text += piece;
      const match = pattern.exec(text);
      if (match) done(match[1]);
    });
    child.once('exit', (code) => failed(new Error(`${file} ended with ${code}`)));
  });
  return { child, found };
}

/** Asks for a stream; the reply comes as soon as its head does. */
async function ask(url, { model, agent, content }) {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content }], stream: true });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    authorization: `Bearer ${process.env.GATEWAY_TOKEN_DEFAULT}`,
  };
  const asked = request(`${url}/v1/chat/completions`, { method: 'POST', headers, agent });
  asked.end(body);
  const [reply] = await once(asked, 'response');
  return reply;
}

/** Milliseconds from a request for a stream to the first byte of its body, on a connection that is kept. */
async function firstByte({ url, model, agent }) {
  const begun = performance.now();
  const reply = await ask(url, { model, agent, content: 'Hello' });
  await once(reply, 'readable');
  const took = performance.now() - begun;
  reply.resume();
  await once(reply, 'end');
  return took;
}

const at = (numbers, part) =>
  numbers.toSorted((one, other) => one - other)[
    Math.min(numbers.length - 1, Math.floor(part * numbers.length))
  ];

/** What a leg adds to the direct one at each part of the distribution, in each round. */
async function measure(direct, others) {
  const legs = [direct, ...others];
  const added = new Map(others.map((leg) => [leg, { 0.5: [], 0.99: [] }]));
  for (let round = -1; round < rounds; round += 1) {
    const times = new Map(legs.map((leg) => [leg, []]));
    for (let turn = 0; turn < (round < 0 ? warmUp : turns); turn += 1) {
      // One after the other, and each as often first: what happens meanwhile meets all.
      for (let at = 0; at < legs.length; at += 1) {
        const leg = legs[(at + turn) % legs.length];
        times.get(leg).push(await firstByte(leg));
      }
    }
    if (round < 0) continue;
    for (const [leg, parts] of added)
      for (const [part, rows] of Object.entries(parts))
        rows.push(at(times.get(leg), Number(part)) - at(times.get(direct), Number(part)));
  }
  return added;
}

const signed = (ms) => `${ms < 0 ? '' : '+'}${ms.toFixed(2)}`;

/**
 * One measure in words. The median of the rounds: whatever else runs on the machine disturbs some of them, on either
 * side, and their least would be a matter of luck. Behind it the quarter of them below and above.
 */
const shown = (part, numbers) =>
  `p${part * 100} ${signed(at(numbers, 0.5))} ms (${signed(at(numbers, 0.25))} to ${signed(at(numbers, 0.75))})`;

async function measureWay({ title, streams, args }, { here, work, config, direct, relay, model }) {
  const out = join(work, `live-${streams}`);
  const options = ['proxy', '--config', config, '--port', '0', '--out', out, ...args];
  const proxy = await started(join(here, 'cli', 'bin.mjs'), options, /Proxy at (\S+) for /);
  const held = new Agent({ keepAlive: true, maxSockets: Infinity });
  for (let count = 0; count < streams; count += 1)
    (await ask(proxy.found, { model, agent: held, content: 'hold' })).on('error', () => undefined).resume();
  const [first, ...others] = [direct, relay, proxy.found].map((url) => ({
    url,
    model,
    agent: new Agent({ keepAlive: true, maxSockets: 1 }),
  }));
  const added = await measure(first, others);
  for (const { agent } of [first, ...others, { agent: held }]) agent.destroy();
  proxy.child.kill('SIGINT');
  await once(proxy.child, 'exit');
  const [bare, ours] = [...added.values()].map((parts) =>
    Object.entries(parts)
      .map(([part, rows]) => shown(Number(part), rows))
      .join(', '),
  );
  console.log(`  ${title}: ${ours}\n    a bare relay: ${bare}`);
}

/** Prints what the proxy adds to the first byte: the same request in turn directly and through it. */
export async function printFirstByte({ here, work, config }) {
  const gateway = await started(join(here, 'scripts', 'stream-server.mjs'), [], /(\S+)\n/);
  const relay = await started(join(here, 'scripts', 'relay.mjs'), [new URL(gateway.found).port], /(\S+)\n/);
  const declared = readFileSync(config, 'utf8').replace(/baseUrl: \S+/, `baseUrl: ${gateway.found}`);
  const own = join(work, 'first-byte.yaml');
  writeFileSync(own, declared);
  const model = /^ {2}multimodal: "?([^"\n]*)/m.exec(declared)[1];
  console.log(
    `\n\`proxy\`, what it adds to the first byte of a stream: median of ${rounds} rounds of ${turns} (middle half of the rounds)`,
  );
  try {
    const legs = { direct: gateway.found, relay: relay.found };
    for (const way of ways) await measureWay(way, { here, work, config: own, model, ...legs });
  } finally {
    for (const { child } of [gateway, relay]) child.kill();
  }
}
