// What it costs a run to mask tokens of many lengths that the target echoes: a megabyte of them, in its refusals.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configYaml, createGateway, defaultConsole, targetFor } from '../dist/tools/scripts/internals.js';

/** Characters of all echoes of a run together, of one at most, and the greatest ratio of CPU time to no echo. */
const [echoed, mostInOne, goal] = [1_000_000, 8_000, 1.5];
/** Characters of a token. */
const lengths = [16, 800, 3_900, 8_000];

const random = (length) =>
  [...Array(Math.ceil(length / 64)).keys()]
    .map((at) => createHash('sha384').update(`token ${at}`).digest('base64url'))
    .join('')
    .slice(0, length);
const kinds = {
  random,
  periodic: (length) => 'A1b2-'.repeat(length / 5 + 1).slice(0, length),
};

/** The reference gateway with another token, which its refusals repeat until there is a megabyte of it. */
function echoing(settings, token) {
  let left = echoed;
  const refusal = (made) => {
    const text = token.repeat(Math.ceil(mostInOne / token.length)).slice(0, Math.min(left, mostInOne));
    left -= text.length;
    const [{ bytes, ...piece }] = made.pieces;
    return { ...made, pieces: [{ ...piece, bytes: JSON.stringify({ ...JSON.parse(bytes), echo: text }) }] };
  };
  return createGateway({ console: settings, ...(token === '' ? {} : { hooks: { refusal } }) });
}

/** The least CPU time of some runs with a token, in milliseconds. */
async function leastCpu({ here, work, measure, repeats }, token, isEchoed) {
  const settings = defaultConsole();
  const [account] = settings.accounts;
  account.tokens.find(({ group }) => group === 'default').value = token;
  const config = join(work, 'echo.yaml');
  let least = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const gateway = await echoing(settings, isEchoed ? token : '').listen();
    writeFileSync(config, configYaml(settings, gateway.url));
    for (const { value, variable } of Object.values(targetFor(settings, '').tokens))
      process.env[variable] = value;
    const args = ['run', '--config', config, '--quiet', '--seed', '1', '--out', join(work, 'echo')];
    const { cpu } = await measure(here, args).finally(() => gateway.close());
    least = Math.min(least, cpu);
  }
  return least;
}

/**
 * Prints the CPU time of a run with each token that is echoed, beside that of one with a token of its length that is not;
 * each line as soon as it is measured.
 */
export async function printEchoRuns(measuring) {
  const line = (...cells) => console.log(cells.map((cell) => `${cell}`.padStart(15)).join(''));
  console.log(
    `\n\`run\` where a token is echoed, ${echoed} characters of it; the least of ${measuring.repeats}`,
  );
  line('token', 'CPU ms', 'no echo', 'ratio', 'goal');
  for (const length of lengths) {
    const none = await leastCpu(measuring, kinds.random(length), false);
    for (const [kind, made] of Object.entries(kinds)) {
      const echo = await leastCpu(measuring, made(length), true);
      line(`${kind}, ${length}`, echo.toFixed(0), none.toFixed(0), (echo / none).toFixed(2), goal.toFixed(2));
    }
  }
}
