/** A wrong credential goes out between valid requests. */
const rankOf = (request: PlannedRequest): number =>
  stages.indexOf(hasWrongCredential(request) && !awaitsRefusal(request) ? 'valid' : request.stage);

import { expect, test } from 'vitest';
import { type PlannedRequest, stages } from '../types/plan.ts';
import { dependencies } from '../plan/dependencies.ts';
import { planned } from '../plan/planned.fixture.ts';
import { awaitsRefusal, hasWrongCredential } from './wrong-credentials.ts';
import { stageBarriers } from './order.ts';

const plan = planned();
const barriers = stageBarriers(plan);
const before = (id: string): readonly string[] => barriers(byId(id));

function byId(id: string): PlannedRequest {
  const request = plan.requests.find((candidate) => candidate.id === id);
  if (request === undefined) throw new Error(`no request ${id}`);
  return request;
}

test('a discovery waits for nothing', () => {
  expect(before('cell.multimodal.chat.default')).toEqual([]);
});

test('a wrong request waits for every valid one on its path, and for every valid one of its model', () => {
  const waits = before('cell.conversational.chat.coding-tool');
  expect(waits).toEqual(
    expect.arrayContaining(['chat.plain', 'chat.long', 'messages.plain', 'messages.long']),
  );
  expect(waits).not.toContain('images.plain');
  expect(waits).not.toContain('chat.temperature.range.2.01');
});

test('the control afterwards waits for every wrong request on its path', () => {
  const wrong = plan.requests
    .filter(({ path, stage }) => path === '/v1/messages' && stage === 'invalid')
    .map(({ id }) => id);
  expect(wrong.length).toBeGreaterThan(20);
  expect(before('messages.plain.after')).toEqual(expect.arrayContaining(wrong));
});

test('each request waits only for those of an earlier stage, and a timed one for those timed before it', () => {
  for (const request of plan.requests) {
    const rank = rankOf(request);
    for (const id of barriers(request).filter((each) => byId(each).stage !== 'timed'))
      expect(rankOf(byId(id)), `${request.id} ${id}`).toBeLessThan(rank);
  }
});

test('a valid request that waits for a timed one waits for no refused login, and for nothing else of its path', () => {
  expect(byId('responses.combination.8').stage).toBe('further');
  expect(before('responses.combination.8').filter((id) => byId(id).stage !== 'timed')).toEqual([]);
});

test('a timed request goes alone: any other is over by then, or waits for it', () => {
  const timed = plan.requests.filter(({ stage }) => stage === 'timed').map(({ id }) => id);
  const compared = plan.cases.flatMap(({ check }) =>
    check.kind === 'incremental' ? [...check.probes, ...check.controls.short, ...check.controls.bounded] : [],
  );
  expect(compared.length).toBeGreaterThan(30);
  expect(timed).toEqual(expect.arrayContaining(compared));
  for (const request of plan.requests) {
    for (const id of timed.filter((each) => each !== request.id))
      expect(before(request.id).includes(id) !== before(id).includes(request.id), `${request.id} ${id}`).toBe(
        true,
      );
  }
});

test('nothing waits for itself, by whatever way', () => {
  const done = new Set<string>();
  let left = [...plan.requests];
  while (left.length > 0) {
    const ready = left.filter((request) =>
      [...dependencies(request), ...barriers(request)].every((id) => done.has(id)),
    );
    expect(ready.length, left.map(({ id }) => id).join(', ')).toBeGreaterThan(0);
    for (const { id } of ready) done.add(id);
    left = left.filter(({ id }) => !done.has(id));
  }
  expect(done.size).toBe(plan.requests.length);
});
