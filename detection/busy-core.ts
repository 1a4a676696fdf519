import { Worker } from 'node:worker_threads';

/** A thread that does nothing but count: it ends by itself when its time is up. */
const spinning = `
const { workerData } = require('node:worker_threads');
const end = Date.now() + workerData.ms;
while (Date.now() < end);
`;

/** Does the work with another core kept busy, for at most `ms` milliseconds. */
export async function withBusyCore<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  const spinner = new Worker(spinning, { eval: true, workerData: { ms } });
  try {
    return await work();
  } finally {
    await spinner.terminate();
  }
}
