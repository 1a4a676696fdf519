import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { lockFolder, refuseRunning } from './run-lock.ts';
import { testFolder } from '../folder.fixture.ts';

const dir = testFolder('lock');

test('a folder is refused to another run as long as one writes there', () => {
  const unlock = lockFolder(dir);
  expect(() => refuseRunning(dir)).toThrow('another run is writing to this folder');
  unlock();
  expect(() => refuseRunning(dir)).not.toThrow();
});

test.runIf(process.platform === 'linux')(
  'a process that was killed and that nobody waited for writes nowhere',
  async () => {
    // The shell becomes a program that asks for no exit code.
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60']);
    try {
      const [said] = await once(parent.stdout, 'data');
      const pid = Number(String(said).trim());
      const fields = (): string[] =>
        readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      const lock = `${hostname()} ${pid} ${fields()[19]}`;
      writeFileSync(join(dir, 'run.lock'), lock);
      expect(() => refuseRunning(dir)).toThrow(`process ${pid}`);
      // Until then the shell may ask for the exit code.
      while (readFileSync(`/proc/${parent.pid}/comm`, 'utf8') !== 'sleep\n') await sleep(5);
      process.kill(pid, 'SIGKILL');
      while (fields()[0] !== 'Z') await sleep(5);
      expect(() => refuseRunning(dir)).not.toThrow();
    } finally {
      parent.kill('SIGKILL');
    }
  },
);
