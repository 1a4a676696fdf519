// The first module of the thread that judges live traffic. Node loads it itself, so it is the build that judges, also
// where tests run the rest from the sources.
import { existsSync } from 'node:fs';

if (existsSync(new URL('../../tsconfig.build.json', import.meta.url)))
  await import('../../scripts/build-if-older.mjs');
const { serveJudge } = await import('../../dist/cli/proxy/live-judge.js');
serveJudge();
