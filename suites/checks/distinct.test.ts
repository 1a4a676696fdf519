import { describe, expect, it } from 'vitest';
import type { Check } from '../types/checks/check.ts';
import type { Exchange } from '../types/exchange.ts';
import {
  answered,
  viewOf,
  findingOf,
  judge,
  refused,
  replied,
  result,
  silent,
  undecided,
  type Written,
  foundIn,
} from './evidence.fixture.ts';

type Replies = readonly [Written, Written];

const against = (name: string, probes: readonly string[] = ['g1', 'g2']) => ({ name, probes });

type Others = Extract<Check, { kind: 'distinct' }>['comparisons'][number]['others'];

/** The first class on one endpoint, held against others. */
const compared = (probes: readonly string[], others: Others): Check => ({
  kind: 'distinct',
  requirement: 'r',
  comparisons: [{ probes, others, control: 'valid' }],
});
const distinctFrom = (...others: Others): Check => compared(['a1', 'a2'], others);

const check = distinctFrom(against('a general error'));

const view = ([a1, a2]: Replies, [g1, g2]: Replies) =>
  viewOf('chat', [replied('a1', a1), replied('a2', a2), replied('g1', g1), replied('g2', g2)]);

const code = (status: number, value: unknown, more: object = {}): Written => ({
  status,
  json: { error: { code: value }, ...more },
});

const twice = (written: Written): Replies => [written, written];

const xml = (errorCode: string, id: string): Written => ({
  status: 403,
  text: `<?xml version="1.0"?><Error><Code>${errorCode}</Code><RequestId>${id}</RequestId></Error>`,
});

const saying = (message: string): Written => ({ status: 400, json: { error: { message } } });

const apart: readonly (readonly [string, Replies, Replies])[] = [
  ['another status', twice({ status: 401 }), twice({ status: 400 })],
  ['one status and another code', twice(code(400, 'bad-key')), twice(code(400, 'bad-model'))],
  ['200 and another code', twice(code(200, 40101)), twice(code(200, 40001))],
  ['a field that only one class has', twice(code(400, 'bad', { kind: 'auth' })), twice(code(400, 'bad'))],
  ['another plain text', twice({ status: 400, text: 'bad key' }), twice({ status: 400, text: 'bad model' })],
  [
    'a code before what differs in each reply',
    [saying('E401: ec0660'), saying('E401: f3bcaf')],
    [saying('E400: 88f288'), saying('E400: e5d32f')],
  ],
  ['several codes of its own', [code(400, 'invalid_key'), code(400, 'unknown_key')], twice(code(400, 'bad'))],
  [
    'one that is another kind of refusal, such as a lock-out',
    [code(401, 'bad-key'), code(403, 'locked')],
    twice(code(404, 'bad-model')),
  ],
  ['others that differ among themselves', twice(code(401, 'bad')), [code(404, 'bad'), code(422, 'bad')]],
  [
    'another code in XML beside an id',
    [xml('AccessDenied', '4442587FB7D0A2F9'), xml('AccessDenied', '8B1C2D3E4F5A6B7C')],
    [xml('InvalidArgument', 'A1B2C3D4E5F60718'), xml('InvalidArgument', '99AABBCC00112233')],
  ],
  [
    'other words around an id and a date',
    [
      saying('invalid token (request id: 1f3a at 10:01:07)'),
      saying('invalid token (request id: 9c2b at 10:01:09)'),
    ],
    [
      saying('bad parameter (request id: 77aa at 10:02:11)'),
      saying('bad parameter (request id: 0b1c at 10:02:12)'),
    ],
  ],
  [
    'a stable code beside fields that change',
    [
      code(400, 'bad-key', { message: 'key sk-1', id: 1 }),
      code(400, 'bad-key', { message: 'key sk-2', id: 2 }),
    ],
    twice(code(400, 'bad')),
  ],
];

/** What changes from reply to reply tells no class from another. */
const alike: readonly (readonly [string, Replies, Replies])[] = [
  [
    'one text around ids and dates',
    [saying('request a1b2 failed on 2026-11-21'), saying('request c3d4 failed on 2026-11-22')],
    [saying('request e5f6 failed on 2026-11-23'), saying('request 0718 failed on 2026-11-24')],
  ],
  [
    'one page around an id',
    [xml('Error', '4442587FB7D0A2F9'), xml('Error', '8B1C2D3E4F5A6B7C')],
    [xml('Error', 'A1B2C3D4E5F60718'), xml('Error', '99AABBCC00112233')],
  ],
  ['one of them told as the others', [code(401, 'bad-key'), code(400, 'bad')], twice(code(400, 'bad'))],
  ['identical replies', twice(code(400, 'bad')), twice(code(400, 'bad'))],
  ['identical empty replies', twice({ status: 403 }), twice({ status: 403 })],
  ['white space around a text', twice({ status: 400, text: 'bad\n' }), twice({ status: 400, text: 'bad' })],
  [
    'an id that each reply has anew',
    [code(400, 'bad', { id: 'a' }), code(400, 'bad', { id: 'b' })],
    [code(400, 'bad', { id: 'c' }), code(400, 'bad', { id: 'd' })],
  ],
  [
    'an id that the two happen to share',
    twice(code(400, 'bad', { request_id: 'a' })),
    twice(code(400, 'bad', { request_id: 'b' })),
  ],
  [
    'a timestamp that the two happen to share',
    twice(code(400, 'bad', { timestamp: 1 })),
    twice(code(400, 'bad', { timestamp: 2 })),
  ],
  [
    'what lies in a trace',
    twice(code(400, 'bad', { trace: { span: 1 } })),
    twice(code(400, 'bad', { trace: { span: 2 } })),
  ],
  [
    'a message that names the token',
    [code(400, 'bad', { message: 'sk-1' }), code(400, 'bad', { message: 'sk-2' })],
    twice(code(400, 'bad', { message: 'model' })),
  ],
  [
    'a status that one reply of the others shares',
    twice({ status: 401 }),
    [{ status: 404 }, { status: 401 }],
  ],
];

describe('distinct', () => {
  it.each(apart)('passes %s', (_, own, others) => {
    expect(findingOf(judge(check, view(own, others))).verdict).toBe('pass');
  });

  it.each(alike)('fails where the classes differ in nothing but %s', (_, own, others) => {
    expect(findingOf(judge(check, view(own, others)))).toMatchObject({
      verdict: 'fail',
      message: expect.stringMatching(/^indistinguishable from a general error/),
      expected: 'another status, or another value in a stable field of the body',
      actual: expect.stringMatching(/^HTTP \d+, .*; a general error \(\S+\): (the same|HTTP \d+, .*)$/s),
    });
  });

  it('says how many replies of a class are told as another, where not all are', () => {
    const mixed = view([{ status: 401 }, { status: 403 }], twice({ status: 403 }));
    expect(findingOf(judge(check, mixed))).toMatchObject({
      message: 'indistinguishable from a general error, in 1 of 2 replies',
    });
  });

  it('shows the reply of the other class that is alike', () => {
    expect(
      findingOf(judge(check, view(twice({ status: 401 }), [{ status: 404 }, { status: 401 }]))),
    ).toMatchObject({
      actual: expect.stringMatching(/^HTTP 401, .*; a general error \(\S+\): the same$/s),
    });
  });

  it('takes a rate limit for a class of its own', () => {
    const limit = distinctFrom(against('an authentication error'));
    const told = view(twice({ status: 429, text: 'slow' }), twice({ status: 401, text: 'key' }));
    expect(findingOf(judge(limit, told)).verdict).toBe('pass');
    const same = view(twice({ status: 429, text: 'no' }), twice({ status: 429, text: 'no' }));
    expect(findingOf(judge(limit, same))).toMatchObject({
      verdict: 'fail',
      message: 'indistinguishable from an authentication error',
    });
  });

  it('may be told as a limit of failed logins is', () => {
    const limit = distinctFrom(against('an authentication error'));
    const told = { status: 429, text: 'no' };
    const last = replied('g2', told);
    const later = { ...last, timing: { ...last.timing, startedAt: '2026-11-20T12:00:01.000Z' } };
    const entries = [replied('a1', told), replied('a2', told), refused('g1', 401), later];
    const invalid = { credential: { form: 'invalid', token: 'x' } } as const;
    const judged = (expected: Parameters<typeof viewOf>[2]) => foundIn(limit, entries, expected).verdict;
    expect(judged({ g1: invalid, g2: invalid })).toBe('pass');
    expect(judged({ g1: invalid })).toBe('fail');
  });

  it('must differ from every other class', () => {
    const both = distinctFrom(against('a general error'), against('a rate limit', ['l']));
    const entries = [refused('a1', 403), refused('a2', 403), refused('g1', 400), refused('l', 403)];
    expect(foundIn(both, entries)).toMatchObject({
      verdict: 'fail',
      message: 'indistinguishable from a rate limit',
    });
  });

  describe('beside a class that may be absent', () => {
    const both = distinctFrom(against('a general error'), {
      ...against('a broken body', ['b']),
      mayBeAbsent: true,
    });
    const others = [refused('a1', 401), refused('a2', 401), refused('g1', 400)];

    it.each([
      ['fails where it alone is alike', refused('b', 401), 'fail'],
      ['passes where it differs in one field', refused('b', 401, { error: { message: 'no JSON' } }), 'pass'],
      ['passes where it is answered', answered('b'), 'pass'],
      ['passes where it gets no reply', silent('b', { kind: 'timeout', afterMs: 100 }), 'pass'],
    ] as const)('%s', (_, entry, verdict) => {
      expect(foundIn(both, [...others, entry]).verdict).toBe(verdict);
    });

    it('is told apart by another feature than the others are', () => {
      const own = ['a1', 'a2'].map((id) => refused(id, 401, { error: { code: 'key' } }));
      const entries = [
        ...own,
        refused('g1', 400, { error: { code: 'key' } }),
        refused('b', 401, { error: { code: 'json' } }),
      ];
      expect(foundIn(both, entries).verdict).toBe('pass');
    });
  });

  it.each([...undecided.filter(([name]) => name !== 'a 429'), ['an answer', answered, /^HTTP 200/] as const])(
    'is inconclusive on %s in place of a second refusal',
    (_, entry) => {
      expect(foundIn(check, [refused('a1', 401), entry('a2'), refused('g1')])).toMatchObject({
        verdict: 'inconclusive',
        message: 'could not be compared: fewer than two refusals of this class',
      });
    },
  );

  it.each(undecided.filter(([name]) => name !== 'a 429'))(
    'is inconclusive on %s in place of the other class',
    (_, entry, why) => {
      expect(foundIn(check, [refused('a1', 401), refused('a2', 401), entry('g1')])).toMatchObject({
        verdict: 'inconclusive',
        message: 'could not be compared: no reply that is a general error',
        actual: expect.stringMatching(why),
      });
    },
  );

  it.each([
    ['is answered', answered('valid'), 'fail'],
    ['is refused in another way', refused('valid', 404), 'fail'],
    ['is cut off', silent('valid', { kind: 'cut', detail: 'closed' }), 'fail'],
    ['was not sent', undefined, 'fail'],
    ['is refused as they are', refused('valid', 500), 'inconclusive'],
  ] as const)('where a valid request %s, gives classes that are alike their due', (_, valid, verdict) => {
    const entries = ['a1', 'a2', 'g1', 'g2'].map((id) => refused(id, 500));
    const finding = foundIn(check, valid ? [...entries, valid] : entries);
    expect(finding.verdict).toBe(verdict);
    if (finding.verdict !== 'inconclusive') return;
    expect(finding.message).toBe(
      'could not be compared: indistinguishable from the refusal of a valid request',
    );
    expect(finding.actual).toMatch(/^HTTP 500, /);
  });

  it.each([
    ['passes', 409, 'a valid request got past it', 'pass'],
    ['fails', 409, 'no valid request got it', 'fail'],
    ['passes', 509, 'a failure may have come to no valid request by chance', 'pass'],
  ] as const)(
    '%s where refusals of both classes are a %i that comes now and then, and %s',
    (_, status, why, verdict) => {
      const now = { status, text: 'try later' };
      const passed = why === 'a valid request got past it' ? replied('before', now).attempts : [];
      const valid = replied('valid', { json: result.chat('hello'), before: passed });
      const probes = ['a1', 'a2', 'a3', 'a4'];
      const own = [replied('a1', now), replied('a2', now), refused('a3', 401), refused('a4', 401)];
      const entries = [...own, replied('g1', now), refused('g2'), valid];
      const wrong = { expect: 'refusal' } as const;
      const view = viewOf('chat', entries, {
        a1: wrong,
        a2: wrong,
        a3: wrong,
        a4: wrong,
        g1: wrong,
        g2: wrong,
      });
      expect(findingOf(judge(compared(probes, [against('a general error')]), view)).verdict).toBe(verdict);
    },
  );

  it('fails where a class and a general error are told as a failure more often than chance explains', () => {
    const ids = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8'];
    const own = ids.map((id, at) => refused(id, at < 6 ? 500 : 401));
    const valid = Array.from({ length: 60 }, (_, at) => answered(`valid${at}`));
    const judgedBeside = (those: readonly Exchange[]) => {
      const entries = [...own, refused('g1', 500), ...those];
      const wrong = Object.fromEntries([...ids, 'g1'].map((id) => [id, { expect: 'refusal' } as const]));
      const seen = viewOf('chat', entries, wrong);
      return findingOf(judge(compared(ids, [against('a general error', ['g1'])]), seen)).verdict;
    };
    expect(judgedBeside(valid)).toBe('fail');
    expect(judgedBeside(valid.slice(0, 2))).toBe('pass');
  });

  it.each([
    ['passes a limit', 'a valid request got past it', 'pass'],
    ['fails a limit', 'no valid request got it', 'fail'],
  ] as const)('%s that one of two wrong requests is told, too, where %s', (_, __, verdict) => {
    const told = code(509, 1002);
    const passed = verdict === 'pass' ? replied('before', told).attempts : [];
    const answer = replied('valid', { json: result.chat('hello'), before: passed });
    const valid = { ...answer, timing: { ...answer.timing, startedAt: '2026-11-20T12:00:01.000Z' } };
    // So often in a row that it is taken for the refusal of its request.
    const often = replied('g1', { ...told, before: Array(40).fill(replied('g1', told).attempts).flat() });
    const entries = [replied('a1', told), replied('a2', told), often, refused('g2'), valid];
    const [wrong, spent] = [{ expect: 'refusal' }, { expect: 'limited' }] as const;
    expect(foundIn(check, entries, { a1: spent, a2: spent, g1: wrong, g2: wrong }).verdict).toBe(verdict);
  });

  it('passes classes that differ, whatever became of the valid request', () => {
    const entries = [refused('a1', 401), refused('a2', 401), refused('g1'), refused('valid', 401)];
    expect(foundIn(check, entries).verdict).toBe('pass');
  });

  describe('on several endpoints', () => {
    const endpoints = ['x', 'y'].map((at) => ({
      probes: [`${at}1`, `${at}2`],
      others: [against('a general error', [`${at}3`])],
      control: `${at}4`,
    }));
    const several = { kind: 'distinct', requirement: 'r', comparisons: endpoints } as const satisfies Check;
    const apartAt = (at: string) => [refused(`${at}1`, 429), refused(`${at}2`, 429), refused(`${at}3`, 400)];
    const alikeAt = (at: string) => [refused(`${at}1`, 400), refused(`${at}2`, 400), refused(`${at}3`, 400)];

    it.each([
      ['pass', 'one tells them apart', [...apartAt('y'), ...alikeAt('x')]],
      ['pass', 'one tells them apart and the other was not asked', apartAt('y')],
      ['fail', 'none tells them apart', [...alikeAt('x'), ...alikeAt('y')]],
      ['fail', 'one does not and the other was not asked', alikeAt('y')],
      ['inconclusive', 'none was asked', []],
    ] as const)('is %s where %s', (verdict, _, entries) => {
      expect(foundIn(several, entries).verdict).toBe(verdict);
    });

    it.each([
      ['fail', 'a group is refused in other words', [refused('g1', 403), answered('g2')]],
      ['pass', 'a group is refused in these words', [refused('g1', 403), refused('g2', 400)]],
      ['fail', 'every group is served', [answered('g1'), answered('g2'), answered('g3')]],
      ['pass', 'what a group gets is not known', [refused('g1', 403)]],
      [
        'pass',
        'not every group is asked, and those that are get an answer',
        [answered('g1'), answered('g2')],
      ],
    ] as const)('is %s where one tells them apart, and at the other %s', (verdict, _, ofGroups) => {
      const comparisons = endpoints.map((endpoint, at) => ({
        ...endpoint,
        ...(at === 0 ? { ofGroups: ofGroups.length > 2 ? ['g1', 'g2', 'g3'] : ['g1', 'g2'] } : {}),
      }));
      const entries = [...apartAt('y'), ...alikeAt('x'), ...ofGroups];
      expect(foundIn({ ...several, comparisons }, entries).verdict).toBe(verdict);
    });
  });
});
