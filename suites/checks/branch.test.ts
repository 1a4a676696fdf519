import { describe, expect, it } from 'vitest';
import type { BranchQuestion, Check } from '../types/checks/check.ts';
import {
  answered,
  viewOf,
  findingOf,
  judge,
  refused,
  replied,
  result,
  unanswered,
} from './evidence.fixture.ts';

const attempt = (number: number, topic: string, nonce: string, otherNonce: string): BranchQuestion => ({
  exchange: `ask${number}`,
  root: `root${number}`,
  otherBranch: `other${number}`,
  topic,
  nonce,
  otherNonces: [otherNonce],
  question: `What is the ${topic}?`,
});

const first = attempt(1, 'code name', 'OTTER-11111', 'HERON-22222');
const second = attempt(2, 'word', 'LYNX-33333', 'VOLE-44444');
const check: Check = {
  kind: 'branch',
  requirement: 'r',
  probes: [first, second],
  controls: [
    { exchange: 'c1', nonce: 'MOLE-55555', topic: 'code name', question: 'What is the code name?' },
    { exchange: 'c2', nonce: 'TOAD-66666', topic: 'word', question: 'What is the word?' },
  ],
  plainRequest: 'plain',
};

const said = (id: string, text: string) => answered(id, 'responses', text);
const saying = (text: string, later?: string) =>
  viewOf('responses', [said('ask1', text), ...(later === undefined ? [] : [said('ask2', later)])]);

/** A response under an id of its own. */
const named = (exchange: string, id: unknown) =>
  replied(exchange, { json: { ...result.responses('OK'), id } });

describe('branch', () => {
  it('passes where the reply knows its own branch', () => {
    expect(judge(check, saying('OTTER-11111'))).toEqual({
      findings: [{ requirement: 'r', verdict: 'pass' }],
      shows: 'ask1',
    });
  });

  it('passes where only a later attempt knows its own branch', () => {
    expect(judge(check, saying('No idea.', 'LYNX-33333')).shows).toBe('ask2');
  });

  it.each(['HERON-22222', 'First OTTER-11111, now HERON-22222'])(
    'fails where the reply knows the other: %s',
    (text) => {
      const judgement = judge(check, saying(text, 'LYNX-33333'));
      expect(judgement.shows).toBe('ask1');
      expect(findingOf(judgement)).toEqual({
        requirement: 'r',
        verdict: 'fail',
        code: 'other-branch-known',
        message: 'the reply shows what was given in another branch only',
        expected: 'OTTER-11111',
        actual: text,
        exchange: 'ask1',
      });
    },
  );

  it('takes what another attempt said for no other branch', () => {
    expect(findingOf(judge(check, saying('VOLE-44444', 'HERON-22222'))).verdict).toBe('inconclusive');
  });

  const onRoot = (ids: readonly string[]) =>
    Object.fromEntries(
      ids.map((id) => [
        id,
        {
          body: {
            json: { previous_response_id: { $: 'reply', exchange: 'root1', pointer: '/id' } },
          } as const,
        },
      ]),
    );

  it.each(['other1', 'another'])('fails where %s has the id of what it is chained on', (other) => {
    const entries = [named('root1', 'resp_7'), named(other, 'resp_7'), said('ask1', 'OTTER-11111')];
    const view = viewOf('responses', entries, onRoot([other]));
    expect(findingOf(judge(check, view))).toMatchObject({
      verdict: 'fail',
      message: 'a response has the id of the one that it is chained on',
      pointer: '/id',
      actual: 'resp_7',
      exchange: other,
    });
  });

  it.each([
    ['ids of their own', 'resp_7', 'resp_8'],
    ['no ids', undefined, undefined],
    ['ids that are no strings', 7, 7],
  ])('does not fail two responses with %s', (_, root, other) => {
    const entries = [named('root1', root), named('other1', other), said('ask1', 'OTTER-11111')];
    const view = viewOf('responses', entries, onRoot(['other1']));
    expect(findingOf(judge(check, view)).verdict).toBe('pass');
  });

  it('is inconclusive where the replies name neither, which does not gate', () => {
    expect(findingOf(judge(check, saying('No idea.', 'Nor now.')))).toMatchObject({
      verdict: 'inconclusive',
      nonGating: 'model-behaviour',
      actual: 'No idea.',
    });
  });

  it('is inconclusive where each root is refused once the other branch followed it, and says so', () => {
    const branches = [named('other1', 'r1'), named('other2', 'r2')];
    const both = [refused('ask1', 404), refused('ask2', 404)];
    const told = {
      verdict: 'inconclusive',
      message:
        'a response that one request went on from is not found for a second one: how often its id may be named is not shown',
      actual: expect.stringMatching(/^HTTP 404/),
    };
    expect(findingOf(judge(check, viewOf('responses', [...branches, ...both])))).toMatchObject(told);
    // The other one was not sent.
    const first = [...branches.slice(0, 1), ...both.slice(0, 1)];
    expect(findingOf(judge(check, viewOf('responses', first)))).toMatchObject(told);
    const few = viewOf('responses', [...branches.slice(0, 1), ...both]);
    expect(findingOf(judge(check, few))).toMatchObject({ message: 'no conclusive reply' });
  });

  it.each(unanswered)('is inconclusive on %s', (_, entry, why) => {
    const finding = findingOf(judge(check, viewOf('responses', [entry('ask1')])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      message: 'no conclusive reply',
      actual: expect.stringMatching(why),
    });
    expect(finding).not.toHaveProperty('nonGating');
  });

  it('is inconclusive on words that are refused wherever they stand, which does not gate', () => {
    const entries = [...['ask1', 'ask2', 'c1', 'c2'].map((id) => refused(id)), said('plain', 'hello')];
    expect(findingOf(judge(check, viewOf('responses', entries)))).toMatchObject({
      verdict: 'inconclusive',
      nonGating: 'model-behaviour',
      message: 'the question itself is refused, also when it is put in other words',
    });
  });
});
