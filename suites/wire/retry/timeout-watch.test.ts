import { describe, expect, it } from 'vitest';
import type { TimingKind } from '../send.ts';
import { createTimeoutWatch } from './timeout-watch.ts';

const kindAt = (endpoint: string, isAnswerDue = true): TimingKind => ({
  ...{ endpoint, isAnswerDue },
  name: `${endpoint} ${isAnswerDue}`,
});
const [chat, messages, responses, images] = [
  kindAt('chat'),
  kindAt('messages'),
  kindAt('responses'),
  kindAt('images'),
];
const [refusedChat, refusedMessages] = [kindAt('chat', false), kindAt('messages', false)];

/** Whether a promise is settled by now. */
const isDone = async (promise: Promise<unknown>): Promise<boolean> => {
  const open = Symbol('open');
  await new Promise((resolve) => setImmediate(resolve));
  return (await Promise.race([promise, Promise.resolve(open)])) !== open;
};

const trialOf = (after: ReturnType<ReturnType<typeof createTimeoutWatch>['noteTimeout']>) =>
  after.kind === 'retry' ? after.trial : undefined;

describe('a kind of request that was never answered', () => {
  it('is tried once more after its first timeout, and the others wait for what comes of it', async () => {
    const watch = createTimeoutWatch(4);
    const trial = trialOf(watch.noteTimeout(chat, undefined));
    expect(trial).toBeDefined();
    const waiting = watch.noteTimeout(chat, undefined);
    const other =
      waiting.kind === 'wait' ? waiting.over : Promise.reject(new Error('it waits for the trial'));
    const fresh = watch.admits(chat);
    expect([await isDone(other), await isDone(fresh)]).toEqual([false, false]);
    expect(watch.noteTimeout(chat, trial)).toEqual({ kind: 'stop' });
    expect(await other).toBe('stop');
    expect(await fresh).toBe(false);
    expect(await watch.admits(chat)).toBe(false);
  });

  it('goes on where the trial is answered', async () => {
    const watch = createTimeoutWatch(4);
    const trial = trialOf(watch.noteTimeout(chat, undefined));
    const waiting = watch.noteTimeout(chat, undefined);
    const other =
      waiting.kind === 'wait' ? waiting.over : Promise.reject(new Error('it waits for the trial'));
    watch.noteReply(chat, true, 100);
    trial?.end();
    expect(await other).toBe('retry');
    expect(await watch.admits(chat)).toBe(true);
  });

  it('needs no trial where another kind gets no reply in time either', async () => {
    const watch = createTimeoutWatch(4);
    const trial = trialOf(watch.noteTimeout(chat, undefined));
    watch.noteTimeout(chat, trial);
    expect(watch.noteTimeout(messages, undefined)).toEqual({ kind: 'stop' });
    expect(await watch.admits(responses)).toBe(true);
  });
});

it.each([
  ['never answered', false, 2],
  ['answered before', true, 4],
])(
  'a kind that was %s is asked no more after replies without an end in a row',
  async (_, isAnswered, most) => {
    const watch = createTimeoutWatch(4);
    const oversize = (count: number) => {
      for (let at = 0; at < count; at += 1) watch.noteOversize(chat);
    };
    oversize(1);
    watch.noteReply(chat, isAnswered, 100);
    oversize(most - 1);
    expect(await watch.admits(chat)).toBe(true);
    oversize(1);
    expect(await watch.admits(chat)).toBe(false);
    expect(await watch.admits(messages)).toBe(true);
  },
);

it('a kind that was never answered waits for the trial of another such kind', async () => {
  const watch = createTimeoutWatch(4);
  const trial = trialOf(watch.noteTimeout(chat, undefined));
  const waiting = watch.noteTimeout(messages, undefined);
  watch.noteTimeout(chat, trial);
  expect(await (waiting.kind === 'wait' ? waiting.over : waiting.kind)).toBe('stop');
  expect(await watch.admits(messages)).toBe(false);
});

describe('a kind of request that was answered before', () => {
  it('is suspect after four timeouts in a row only', async () => {
    const watch = createTimeoutWatch(4);
    watch.noteReply(chat, true, 100);
    for (const _ of [1, 2, 3]) expect(watch.noteTimeout(chat, undefined)).toEqual({ kind: 'retry' });
    watch.noteReply(chat, false, 100);
    for (const _ of [1, 2, 3]) expect(watch.noteTimeout(chat, undefined)).toEqual({ kind: 'retry' });
    const trial = trialOf(watch.noteTimeout(chat, undefined));
    expect(trial).toBeDefined();
    expect(watch.noteTimeout(chat, trial)).toEqual({ kind: 'stop' });
  });

  it('is waited for by no other where the trial got no reply in time and another got one meanwhile', async () => {
    const watch = createTimeoutWatch(2);
    watch.noteReply(chat, true, 100);
    watch.noteTimeout(chat, undefined);
    const trial = trialOf(watch.noteTimeout(chat, undefined));
    const waiting = watch.noteTimeout(chat, undefined);
    watch.noteReply(chat, false, 100);
    expect(watch.noteTimeout(chat, trial)).toEqual({ kind: 'retry' });
    expect(await (waiting.kind === 'wait' ? waiting.over : waiting.kind)).toBe('retry');
    expect(await watch.admits(chat)).toBe(true);
  });

  it('is sent again once one of it is answered after all', async () => {
    const watch = createTimeoutWatch(1);
    watch.noteReply(chat, true, 100);
    const trial = trialOf(watch.noteTimeout(chat, undefined));
    watch.noteTimeout(chat, trial);
    expect(await watch.admits(chat)).toBe(false);
    watch.noteReply(chat, true, 100);
    expect(await watch.admits(chat)).toBe(true);
  });
});

it('a refusal in time is a reply, and no proof that such requests are answered', async () => {
  const watch = createTimeoutWatch(4);
  watch.noteReply(chat, false, 100);
  expect(trialOf(watch.noteTimeout(chat, undefined))).toBeDefined();
});

it('a kind of which one got no reply in time gets less patience until one is answered', () => {
  const watch = createTimeoutWatch(4);
  expect(watch.patience(chat).part).toBe(1);
  watch.noteTimeout(chat, undefined);
  watch.noteReply(chat, false, 100);
  expect(watch.patience(chat).part).toBeLessThan(1);
  watch.noteReply(chat, true, 100);
  expect(watch.patience(chat).part).toBe(1);
});

it('a kind that was answered before gets less patience, too, but several times what its answers took', () => {
  const watch = createTimeoutWatch(4);
  for (const ms of [700, 300]) watch.noteReply(chat, true, ms);
  watch.noteTimeout(chat, undefined);
  const { part, leastMs } = watch.patience(chat);
  expect(part).toBeLessThan(1);
  expect(leastMs).toBeGreaterThan(2 * 700);
});

it('a kind that was never answered gets less patience where another is silent, and one that was gets all', () => {
  const watch = createTimeoutWatch(4);
  watch.noteReply(chat, true, 100);
  watch.noteSilent(messages);
  expect(watch.patience(responses).part).toBeLessThan(1);
  expect(watch.patience(chat).part).toBe(1);
});

describe('a target of which nothing comes back any more', () => {
  const fallenSilent = () => {
    const watch = createTimeoutWatch(4);
    for (const kind of [chat, messages, images]) watch.noteReply(kind, true, 100);
    return watch;
  };

  it('gets less patience for every kind, until anything comes back', () => {
    const watch = fallenSilent();
    watch.noteTimeout(chat, undefined);
    expect(watch.patience(images).part).toBeLessThan(1);
    watch.noteReply(messages, false, 100);
    expect(watch.patience(images).part).toBe(1);
  });

  it('is tried once for all kinds that were answered before', async () => {
    const watch = fallenSilent();
    for (const kind of [chat, messages, chat])
      expect(watch.noteTimeout(kind, undefined)).toEqual({ kind: 'retry' });
    const trial = trialOf(watch.noteTimeout(chat, undefined));
    expect(trial).toBeDefined();
    const waiting = watch.noteTimeout(messages, undefined);
    expect(watch.noteTimeout(chat, trial)).toEqual({ kind: 'stop' });
    expect(await (waiting.kind === 'wait' ? waiting.over : waiting.kind)).toBe('stop');
    expect(watch.noteTimeout(images, undefined)).toEqual({ kind: 'stop' });
  });
});

describe('a gateway that answers and lets hang what it must refuse', () => {
  const hanging = () => {
    const watch = createTimeoutWatch(4);
    watch.noteReply(chat, true, 100);
    watch.noteTimeout(refusedChat, trialOf(watch.noteTimeout(refusedChat, undefined)));
    watch.noteReply(chat, true, 100);
    return watch;
  };

  it('is not waited for the whole time again, however often it answers in between', async () => {
    const watch = hanging();
    expect(await watch.admits(refusedChat)).toBe(false);
    expect(watch.patience(refusedMessages).part).toBeLessThan(1);
    expect(watch.noteTimeout(refusedMessages, undefined)).toEqual({ kind: 'stop' });
  });

  it('has all the time for what it must answer', async () => {
    const watch = hanging();
    expect([watch.patience(chat).part, watch.patience(images).part]).toEqual([1, 1]);
    expect(await watch.admits(chat)).toBe(true);
  });

  it('gets less time for each further kind that it lets hang, but several times what the endpoint took', () => {
    const watch = hanging();
    const before = watch.patience(refusedMessages).part;
    watch.noteTimeout(kindAt('images', false), undefined);
    watch.noteReply(messages, true, 300);
    const { part, leastMs } = watch.patience(refusedMessages);
    expect(part).toBeLessThan(before);
    expect(leastMs).toBeGreaterThan(2 * 300);
  });
});

it('a refusal in time is what comes of a request that must be refused', () => {
  const watch = createTimeoutWatch(4);
  watch.noteReply(refusedChat, true, 100);
  expect(watch.noteTimeout(refusedChat, undefined)).toEqual({ kind: 'retry' });
});
