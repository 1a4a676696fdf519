// How much longer a run takes on a gateway that locks a caller after refused logins, and whether it is judged alike.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  configYaml,
  createGateway,
  defaultConsole,
  jsonReply,
  lockingCaller,
} from '../dist/tools/scripts/internals.js';

/** Seconds for which three refused logins lock the caller that was seen last, and the most that a run may take longer. */
const [lockSeconds, goal] = [5, 60];

/** A run, with the verdict of each requirement in one text. */
async function judged(hooks, { here, work, measure }) {
  const settings = defaultConsole();
  const gateway = await createGateway({ console: settings, hooks }).listen();
  try {
    const [config, out] = [join(work, 'locked.yaml'), join(work, 'locked')];
    writeFileSync(config, configYaml(settings, gateway.url));
    const { wall } = await measure(here, ['run', '--config', config, '--quiet', '--seed', '1', '--out', out]);
    const { requirements } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
    return { wall, verdicts: new Map(requirements.map(({ id, verdict }) => [id, verdict])) };
  } finally {
    await gateway.close();
  }
}

/** Prints what the lock adds to a run, and how many verdicts are others. */
export async function printLockedRun({ print, ...context }) {
  const locked = lockingCaller(jsonReply(403, { error: { message: 'Locked', type: 'permission_error' } }), {
    ms: lockSeconds * 1_000,
  });
  const [free, held] = [await judged({}, context), await judged(locked, context)];
  const others = [...free.verdicts].filter(([id, verdict]) => held.verdicts.get(id) !== verdict);
  const seconds = (ms) => (ms / 1000).toFixed(1);
  console.log(
    `\n\`run\` against a gateway that locks a caller for ${lockSeconds} s after three refused logins`,
  );
  print([
    ['', '', 'wall s', 'locked s', 'more s', 'goal', 'other verdicts'],
    [
      '',
      '',
      seconds(free.wall),
      seconds(held.wall),
      seconds(held.wall - free.wall),
      `${goal}`,
      `${others.length}`,
    ],
  ]);
  for (const [id, verdict] of others) console.log(`  ${id}: ${verdict}, locked ${held.verdicts.get(id)}`);
}
