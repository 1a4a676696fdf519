import { describe, expect, it, test } from 'vitest';
import { answered, judge, refused, replied, result, viewOf } from '../checks/evidence.fixture.ts';
import { createEvidenceView } from '../checks/evidence-view.ts';
import type { Exchange } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';
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

describe('what may be a lock-out after a refused login', () => {
  const at = (second: number): string => new Date(Date.UTC(2026, 10, 20, 12, 0, second)).toISOString();
  const begun = (exchange: Exchange, second: number): Exchange => ({
    ...exchange,
    attempts: exchange.attempts.map((attempt, i) => ({ ...attempt, startedAt: at(second + i) })),
    timing: { ...exchange.timing, startedAt: at(second + exchange.attempts.length - 1) },
  });
  const lockedFirst = (id: string): Exchange => {
    const { response, attempts } = refused(id, 403);
    const [attempt] = attempts;
    const before = { ...attempt, ...(response ? { response } : {}) };
    return replied(id, { json: result.chat('hello'), before: [before, before] });
  };
  const callers = [{ family: 'multimodal', group: 'default' }] as const;
  /** Which requests a second sample asks where this request was refused before the valid one that was. */
  const asked = async (wrong: Partial<PlannedRequest>): Promise<readonly string[]> => {
    const { request, ...refusal } = refused('wrong', 401);
    const headers = { authorization: 'Bearer wrong' };
    const entries = [
      begun(answered('before'), 0),
      begun({ ...refusal, request: { ...request, ...(wrong.credential ? { headers } : {}) } }, 1),
      begun(lockedFirst('locked'), 2),
    ];
    const view = viewOf('chat', entries, { before: { callers }, locked: { callers }, wrong });
    const ids: string[] = [];
    await askSecondSamples(view, async ({ id }) => {
      ids.push(id);
      return true;
    });
    const verdicts = judge({ kind: 'availability', probes: [] }, view).findings.map(({ verdict }) => verdict);
    expect(verdicts).toEqual(['pass', 'pass']);
    return [...new Set(ids)];
  };

  it('is asked again when nothing wrong is sent any more', async () => {
    expect(await asked({ expect: 'refusal', credential: { form: 'invalid', token: 'wrong' } })).toContain(
      'locked',
    );
  });

  it('is not asked again behind a refused request, where it may come each time', async () => {
    const ids = await asked({ expect: 'refusal', callers });
    expect(ids).toContain('locked');
    expect(ids).not.toContain('wrong');
  });
});
