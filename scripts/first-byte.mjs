// What the proxy adds to the first byte of a stream.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';

/** Measured in turn, and before that what is compiled while the first ones pass. */
const [rounds, warmUp] = [1_300, 200];

/** Milliseconds from a request for a stream to the first byte of its body, on a connection that is kept. */
function firstByte(url, model, agent) {
  const body = JSON.stringify({
    model,
    messages: [{ role: 'user', content: 'Hello' }],
    stream: true,
  });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    authorization: `Bearer ${process.env.GATEWAY_TOKEN_DEFAULT}`,
  };
  return new Promise((done, failed) => {
    const begun = performance.now();
    const asked = request(`${url}/v1/chat/completions`, { method: 'POST', headers, agent }, (reply) => {
      let first;
      reply.on('data', () => {
        first ??= performance.now() - begun;
      });
      reply.on('end', () => done(first));
    });
    asked.on('error', failed);
    asked.end(body);
  });
}

const at = (numbers, part) =>
  numbers.toSorted((one, other) => one - other)[
    Math.min(numbers.length - 1, Math.floor(part * numbers.length))
  ];

/** Prints what the proxy adds to the first byte: the same request in turn directly and through it. */
export async function printFirstByte({ here, work, config }) {
  const args = ['proxy', '--config', config, '--port', '0', '--out', join(work, 'live')];
  const proxy = spawn(process.execPath, [join(here, 'cli', 'bin.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((done, failed) => {
    let text = '';
    proxy.stdout.on('data', (piece) => {
      text += piece;
      const found = /Proxy at (\S+) for (\S+)\. /.exec(text);
      if (found) done(found[1]);
    });
    proxy.on('exit', (code) => failed(new Error(`the proxy ended with ${code}`)));
  });
  const declared = readFileSync(config, 'utf8');
  const direct = /baseUrl: (\S+)/.exec(declared)[1];
  const model = /^ {2}multimodal: "?([^"\n]*)/m.exec(declared)[1];
  const [straight, through] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
  const times = { straight: [], through: [] };
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const [one, other] = [await firstByte(direct, model, straight), await firstByte(url, model, through)];
    if (round < warmUp) continue;
    times.straight.push(one);
    times.through.push(other);
  }
  straight.destroy();
  through.destroy();
  proxy.removeAllListeners('exit');
  proxy.kill('SIGINT');
  const line = (part) => {
    const [one, other] = [at(times.straight, part), at(times.through, part)];
    return `p${part * 100} ${one.toFixed(2)} ms, with it ${other.toFixed(2)} ms: +${(other - one).toFixed(2)} ms`;
  };
  console.log(`proxy, first byte of ${times.straight.length} streams: ${line(0.5)}; ${line(0.99)}`);
  await new Promise((done) => proxy.on('exit', done));
}
