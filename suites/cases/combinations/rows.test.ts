import { describe, expect, it } from 'vitest';
import { protocolFacts } from '../../../spec/protocols.ts';
import { isTextProtocol } from '../../../spec/vocabulary.ts';
import { combinedBody } from '../../types/combination.ts';
import type { PlannedRequest } from '../../types/plan.ts';
import type { Built } from '../cases.fixture.ts';
import { everyPlan } from './rows.fixture.ts';

const isRow = ({ id }: PlannedRequest): boolean => /\.combination\.\d+$/.test(id);
const rowsOf = ({ requests }: Built): readonly PlannedRequest[] => requests.filter(isRow);
const bodyOf = ({ body }: PlannedRequest) => Object(body?.json);
const previousOf = (request: PlannedRequest): string | undefined =>
  bodyOf(request).previous_response_id?.exchange;

describe.each(everyPlan)('the rows of a plan for %s', (_, plan) => {
  it('are the bodies of their combinations, each an answer that is hoped for', () => {
    for (const { combination, body, stream, expect: hope, billed } of rowsOf(plan)) {
      expect(combination && combinedBody(combination, combination.settings)).toEqual(body?.json);
      expect([stream, hope]).toEqual([Object(body?.json).stream === true, 'answer']);
      expect(billed).toBeGreaterThan(0);
    }
    expect(rowsOf(plan).length).toBeGreaterThan(4);
  });

  it('never follow a stream, and lead back to the first response', () => {
    const chained = rowsOf(plan).filter((row) => previousOf(row) !== undefined);
    for (const row of chained) {
      const before = plan.request(previousOf(row) ?? '');
      expect(before.stream).toBe(false);
      expect(before.callers[0]).toEqual(row.callers[0]);
      expect(row.when).toContainEqual({ kind: 'answered', any: [before.id] });
    }
    const roots = new Set(chained.map(previousOf).filter((id) => !chained.some((row) => row.id === id)));
    expect(roots).toEqual(new Set(['responses.combination.1']));
  });

  it('have temperature or top_p, and not both', () => {
    const both = plan.requests
      .filter(({ id }) => /\.combination\./.test(id))
      .filter((row) => 'temperature' in bodyOf(row) && 'top_p' in bodyOf(row));
    expect(both.map(({ id }) => id)).toEqual([]);
  });

  it('call every caller that may judge the protocol', () => {
    const texts = rowsOf(plan).filter(({ protocol }) => isTextProtocol(protocol));
    for (const protocol of new Set(texts.map((row) => row.protocol))) {
      const rows = texts.filter((row) => row.protocol === protocol);
      const first = new Set(rows.map(({ callers: [caller] }) => JSON.stringify(caller)));
      const all = new Set(rows.flatMap(({ callers }) => callers.map((caller) => JSON.stringify(caller))));
      expect(first, protocol).toEqual(all);
    }
  });

  it('have letters of other scripts and long prompts, where they are said to', () => {
    for (const row of rowsOf(plan)) {
      const factors = row.combination?.settings.map(({ factor }) => factor) ?? [];
      const text = JSON.stringify(bodyOf(row)[protocolFacts[row.protocol].content]);
      if (factors.includes('length')) expect(text.length).toBeGreaterThan(4096);
      // The long text has such letters, too.
      if (text.includes('Repeat this text')) continue;
      expect(/[^\p{ASCII}]/u.test(JSON.stringify(bodyOf(row)))).toBe(factors.includes('scripts'));
    }
  });
});
