import { Worker } from 'node:worker_threads';
import type { Context, Reply } from '../fixtures/gateway/context.ts';
import { jsonReply } from '../fixtures/gateway/refusal.ts';
import type { Subject } from './detect.ts';

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

const error = { error: { message: 'Too busy, retry later', type: 'overloaded_error' } };

/** What comes in place of every nth reply; where two fall together the first holds. */
const transientFaults: readonly { readonly every: number; readonly instead: (reply: Reply) => Reply }[] = [
  { every: 50, instead: () => jsonReply(503, error) },
  { every: 11, instead: () => jsonReply(429, error, { 'retry-after': '0' }) },
  { every: 47, instead: (reply) => ({ ...reply, ending: 'dropped' }) },
];

const withFault = (reply: Reply, { requestNumber }: Context): Reply =>
  transientFaults.find(({ every }) => requestNumber % every === 0)?.instead(reply) ?? reply;

/** The same gateway with 429, 503 and resets now and then, whatever it is asked. */
export const withTransientFaults = (subject: Subject): Subject => ({
  ...subject,
  id: `${subject.id} with transient faults`,
  hooks: {
    ...subject.hooks,
    reply: (reply, ctx) => withFault(subject.hooks.reply?.(reply, ctx) ?? reply, ctx),
  },
});
