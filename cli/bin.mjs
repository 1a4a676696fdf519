#!/usr/bin/env node
// The installed command. In a checkout whose sources are newer than the build it compiles first.
import { existsSync, statSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

// Most code of a command runs a few times only: to optimize it early costs more than it saves. V8 12, of Node 22, has
// another name for that.
const isBeforeV12 = Number.parseInt(process.versions.v8, 10) < 12;
setFlagsFromString(isBeforeV12 ? '--interrupt-budget=1000000' : '--invocation-count-for-turbofan=45000');

/** The commands that receive what a target sends, and the one that reads any number of files: megabytes that are read and dropped. */
const receiving = ['run', 'demo', 'proxy', 'site'];
/** Those that read the files that they are given. */
const reading = ['verify', 'judge', 'merge', 'diff', 'compare'];
/** Smaller files, in bytes, take little memory whatever is in them. */
const large = 8_000_000;

/** What can't be read is told by the command. */
function sizeOf(path) {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

/** Whether an argument is a large file, or a folder with one. */
const isLarge = (argument) =>
  [argument, `${argument}/evidence.jsonl`, `${argument}/report.json`].some((path) => sizeOf(path) > large);

const [command = '', ...given] = process.argv.slice(2);
if (receiving.includes(command) || (reading.includes(command) && given.some(isLarge))) {
  // Without this V8 lets the heap double before it looks.
  setFlagsFromString('--heap-growing-percent=20');
  // The same for short-lived objects: the space for them, of which there are two in every thread, stays small. One of 1 MB
  // costs a quarter more CPU time, and saves no memory.
  setFlagsFromString('--max-semi-space-size=4');
}

// Until a command takes signals itself, the first one ends the process: nothing was judged.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(3));

if (existsSync(new URL('../tsconfig.build.json', import.meta.url)))
  await import('../scripts/build-if-older.mjs');
const { main } = await import('../dist/cli/main.js');
await main(process.argv.slice(2));
