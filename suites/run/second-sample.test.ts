import { expect, test } from 'vitest';
import { replied, result, viewOf } from '../checks/evidence.fixture.ts';
import { createEvidenceView } from '../checks/evidence-view.ts';
import type { Exchange } from '../types/exchange.ts';
import { askSecondSamples } from './second-sample.ts';

/** Answered at its second attempt alone. */
function answeredBehind(status: number, id: string): Exchange {
  const { response } = replied(id, { status, text: 'later' });
  return replied(id, {
    json: result.chat('hello'),
    before: [{ status, ...(response ? { response } : {}) }],
  });
}

test('what repetitions alone show is asked for again by the requests that they repeat', async () => {
  // A limit shows nothing of what comes of a request.
  const whole = answeredBehind(429, 'whole');
  const again = ['whole~2', 'whole~3'].map((id) => ({ ...answeredBehind(503, id), repeats: 'whole' }));
  const callers = [{ family: 'multimodal', group: 'default' }] as const;
  const { plan } = viewOf('chat', [whole], { whole: { callers } });
  const view = createEvidenceView(plan, new Map([whole, ...again].map((entry) => [entry.id, entry])));
  const asked = new Set<string>();
  await askSecondSamples(view, async ({ id }) => {
    asked.add(id);
    return true;
  });
  expect([...asked]).toEqual(['whole']);
});
