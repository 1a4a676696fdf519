import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { SuiteName } from '../model/report.ts';
import type { Outcome } from './channel.ts';
import { openEngineEnd } from './engine-end.ts';
import { openOutcomes } from './outcomes.ts';

const outcome = (id: string, suite: SuiteName): Outcome => ({
  case: {
    id,
    title: id,
    suite,
    requirements: ['r'],
    verdict: 'pass',
    passed: ['r'],
    findings: [],
    exchanges: [],
  },
  exchanges: null,
});

function opened() {
  const name = `test-${randomUUID()}`;
  const engine = openEngineEnd(name);
  const shell = (suite: SuiteName) => {
    const outcomes = openOutcomes(name, suite);
    onTestFinished(() => outcomes.close());
    return outcomes;
  };
  onTestFinished(() => engine.close());
  return { engine, shell };
}

test('a shell gets what was judged before it asked, and what is judged after', async () => {
  const { engine, shell } = opened();
  engine.settle(outcome('early', 'streams'));
  const streams = shell('streams');
  expect((await streams.of('early')).case.id).toBe('early');
  engine.settle(outcome('late', 'streams'));
  expect((await streams.of('late')).case.id).toBe('late');
});

test('a shell that asks just as the engine ends gets all that was judged', async () => {
  const { engine, shell } = opened();
  engine.settle(outcome('a', 'streams'));
  engine.settle(outcome('b', 'errors'));
  const streams = shell('streams');
  engine.end();
  const errors = shell('errors');
  expect((await streams.of('a')).case.id).toBe('a');
  expect((await errors.of('b')).case.id).toBe('b');
});

test('a case that was not judged when the engine ended is told as not run', async () => {
  const { engine, shell } = opened();
  const streams = shell('streams');
  const waiting = streams.of('never');
  engine.settle(outcome('a', 'streams'));
  engine.end();
  await expect(waiting).rejects.toThrow('not run: the engine ended without judging never');
  await expect(streams.of('neither')).rejects.toThrow('not run');
});
