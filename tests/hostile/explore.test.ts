import { appendFileSync } from 'node:fs';
import { test } from 'vitest';
import * as answers from './answers.fixture.ts';
import { hostile } from './server.fixture.ts';
import { judging } from './process.fixture.ts';
import { expectSafe } from './safe.fixture.ts';
test('explore', async () => {
  const set = (answers as any)[process.env.SET!] as Record<string, answers.Answer>;
  for (const [name, answer] of Object.entries(set)) {
    if (process.env.PICK && !name.includes(process.env.PICK)) continue;
    const server = await hostile(answer);
    const ended = await judging(server.url, [ '--quiet', ...(process.env.ARGS ?? '--timeout 1').split(' ')], Number(process.env.LIMIT ?? 60000));
    let bad = '';
    try { expectSafe(ended, [1, 3]); } catch (e) { bad = ((e as Error).message + JSON.stringify((e as any).actual)?.slice(0,700)).slice(0, 1500).replaceAll('\n', ' ¶ '); }
    appendFileSync(process.env.OUTF!, `${name}: code ${ended.code} ${ended.signal ?? ''} ${Math.round(ended.ms)} ms ${Math.round(ended.peakMb)} MB ${server.requests()} requests ${bad} ${bad ? ended.stderr.slice(0,300).replaceAll('\n',' ¶ ') : ''}\n`);
    await server.close();
    (await import('node:fs')).rmSync(ended.dir, { recursive: true, force: true });
  }
}, 3_000_000);
