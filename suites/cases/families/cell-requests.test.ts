import { describe, expect, it } from 'vitest';
import { groups, textProtocols } from '../../../spec/vocabulary.ts';
import type { PlannedRequest } from '../../types/plan.ts';
import { built, everythingDeclared } from '../cases.fixture.ts';

const bodyOf = ({ body }: PlannedRequest): object => Object(body?.json);

describe('the request of a cell', () => {
  it('is sent as the caller of the cell', () => {
    const own = built().requests.filter(({ id }) => /^cell\./.test(id));
    expect(own.length).toBeGreaterThan(40);
    for (const { id, callers } of own) {
      const [, family, , group] = id.split('.');
      expect(callers, id).toEqual([{ family, group }]);
    }
  });

  it('that must be served in a stream stands back for the streamed rows of its caller that follow nothing', () => {
    const { requests, request } = built();
    const streams = requests.filter(
      ({ id, expect: hope }) => /^cell\..*\.stream$/.test(id) && hope === 'answer',
    );
    const served = streams.filter(({ protocol }) => textProtocols.some((text) => text === protocol));
    expect(served.length).toBeGreaterThan(4);
    for (const { id, standsFor = [], protocol, callers } of served) {
      const rows = requests.filter(
        (row) =>
          row.protocol === protocol &&
          /\.combination\.\d+$/.test(row.id) &&
          row.stream &&
          !('previous_response_id' in bodyOf(row)) &&
          row.callers[0]?.family === callers[0]?.family &&
          row.callers[0]?.group === callers[0]?.group,
      );
      expect(standsFor, id).toEqual(rows.map((row) => row.id));
    }
    expect(request('cell.multimodal.chat.default.stream').standsFor?.length).toBeGreaterThan(1);
    expect(request('cell.conversational.chat.default.stream').standsFor).toBeUndefined();
    expect(request('cell.multimodal.chat.default').standsFor).toBeUndefined();
  });
});

describe('a cell that nothing is declared for', () => {
  const few = built({ families: ['general'], groups: ['default'], rateLimited: false });

  it('is untested for its model first, then for its token', () => {
    expect(few.check('families.multimodal.chat.default', 'undeclared').reason).toBe(
      'no multimodal model is declared',
    );
    expect(few.check('families.general.responses.coding-tool', 'undeclared').reason).toBe(
      'no coding-tool token is declared',
    );
  });

  it('asks for nothing', () => {
    const cells = few.requests.map(({ id }) => id).filter((id) => /^cell\./.test(id));
    expect(cells.length).toBeGreaterThan(3);
    for (const id of cells) expect(id).toMatch(/^cell\.general\.[a-z]+\.default(\.stream)?$/);
  });
});

it('a token of two groups leaves a cell untested only for the protocol and the stream that the other is served', () => {
  const scope = { ...everythingDeclared, shared: [[groups[0], groups[2]]] };
  const untested = built(scope).cases.filter(
    ({ id, check }) =>
      id.startsWith('families.') && check.kind === 'undeclared' && check.reason.includes('the same token'),
  );
  expect(untested.map(({ id }) => id)).toEqual([
    'families.conversational.messages.default',
    'families.conversational.messages.default.stream',
    'families.conversational.chat.third-party-client',
    'families.conversational.chat.third-party-client.stream',
    ...untested
      .map(({ id }) => id)
      .filter((id) => id.startsWith('families.conversational.messages.default.by.')),
  ]);
  expect(untested.some(({ id }) => id.endsWith('.by.model-suffix.unstreamed'))).toBe(true);
});
