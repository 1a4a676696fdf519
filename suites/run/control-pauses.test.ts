import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { targetFor } from '../../fixtures/gateway/describe.ts';
import { createEvidenceView } from '../checks/evidence-view.ts';
import { answered } from '../checks/evidence.fixture.ts';
import { planned } from '../plan/planned.fixture.ts';
import { scopeOf } from '../types/scope.ts';
import { createWire } from '../wire/wire.ts';
import { createExecutor } from './executor.ts';
import { redactorOf } from './execute-plan.ts';

test('a control waits for the pause that the reply to an earlier control asked for', async () => {
  const times: number[] = [];
  const server = createServer((request, response) => {
    request.resume();
    times.push(performance.now());
    response.writeHead(503, { 'retry-after': '1' }).end('{"error":"later"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const target = targetFor(defaultConsole(), `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const plan = planned(scopeOf(target));
  const id = 'cell.general.chat.default';
  const view = createEvidenceView(plan, new Map([[id, answered(id, 'chat')]]));
  const wire = createWire({
    redactor: redactorOf(target),
    history: view.replies,
    timeoutMs: 5_000,
    policy: { attempts: 1, firstAttempts: 1 },
  });
  const executor = createExecutor({
    ...{ target, view, wire, record: () => {}, isRecorded: () => false, onBegin: undefined },
  });
  try {
    const control = view.request(id);
    if (control === undefined) throw new Error('there is no such request');
    await executor.repeat(control);
    await executor.repeat(control);
    const [first = 0, second = 0] = times;
    expect(times).toHaveLength(2);
    expect(second - first).toBeGreaterThan(950);
  } finally {
    await wire.close();
    server.close();
  }
});
