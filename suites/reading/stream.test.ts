import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Body } from '../types/exchange.ts';
import { readStream } from './stream.ts';

/** A body that came in these pieces, 10 ms apart. */
function bodyOf(...pieces: readonly (string | Buffer)[]): Body {
  let bytes = 0;
  const arrivals = pieces.map((piece, index) => {
    bytes += Buffer.byteLength(piece);
    return [bytes, (index + 1) * 10] as const;
  });
  const whole = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
  return { text: whole.toString('utf8'), encoding: 'utf8', bytes, arrivals };
}

const dataOf = (...pieces: readonly string[]): unknown[] =>
  readStream(bodyOf(...pieces)).events.map(({ data }) => data);

describe('server-sent events', () => {
  it.each([
    ['lf', '\n'],
    ['crlf', '\r\n'],
    ['cr', '\r'],
  ])('are read with line ending %s', (name, end) => {
    const reading = readStream(bodyOf(`event: a${end}data: {"n":1}${end}${end}data: {"n":2}${end}${end}`));
    expect(reading).toMatchObject({ framing: 'sse', lineEnding: name, problems: [], terminator: null });
    expect(reading.events.map((event) => [event.index, event.name, event.data])).toEqual([
      [0, 'a', { n: 1 }],
      [1, null, { n: 2 }],
    ]);
  });

  it('are read with mixed line endings, which is told', () => {
    expect(readStream(bodyOf('data: 1\r\n\ndata: 2\r\r'))).toMatchObject({
      lineEnding: 'mixed',
      events: [{ data: 1 }, { data: 2 }],
    });
  });

  it('are read behind a byte order mark, comments, id and retry lines', () => {
    const reading = readStream(
      bodyOf('\uFEFF: hello\n\nid: 7\nretry: 10\nunknown: x\ndata:{"n":1}\n: again\n\n'),
    );
    expect(reading).toMatchObject({
      framing: 'sse',
      comments: 2,
      problems: [],
      events: [{ data: { n: 1 } }],
    });
  });

  it('join data over several lines, even where a string is split', () => {
    expect(dataOf('data: {"a":\ndata: 1}\n\ndata: {"b":"x\ndata: y"}\n\n')).toEqual([{ a: 1 }, { b: 'xy' }]);
  });

  it('are told apart where no blank line parts them', () => {
    const reading = readStream(bodyOf('data: {"n":1}\ndata: {"n":2}\ndata: [DONE]'));
    expect(reading).toMatchObject({ events: [{ data: { n: 1 } }, { data: { n: 2 } }], terminator: '[DONE]' });
    expect(reading.problems).toEqual([]);
  });

  it.each([
    ['plain', 'data: [DONE]\n\n', 1],
    ['without a space', 'data:[DONE]\n\n', 1],
    ['between spaces', 'data:   [DONE]  \n\n', 1],
    ['with a comment glued to it', 'data: [DONE]: bye\n\n', 1],
    ['twice', 'data: [DONE]\n\ndata: [DONE]\n\n', 2],
    ['as a JSON string', 'data: "[DONE]"\n\n', 1],
    ['without a blank line', 'data: [DONE]', 1],
  ])('end with a terminator %s', (_name, end, count) => {
    expect(readStream(bodyOf(`data: {"n":1}\n\n${end}`))).toMatchObject({
      events: [{ data: { n: 1 } }],
      problems: [],
      terminator: '[DONE]',
      terminators: count,
    });
  });

  it.each([
    ['server-sent events behind which a word stands', 'data: "a"\n\ndata: "b"\n\ndata: end\n\n', 'end'],
    ['lines', '"a"\n"b"\n', null],
    ['with nothing between', '"a""b"', null],
  ])('may be JSON strings: %s', (_name, text, terminator) => {
    expect(readStream(bodyOf(text), true)).toMatchObject({
      events: [{ data: 'a' }, { data: 'b' }],
      problems: [],
      terminator,
    });
  });

  it('are bare text where one of many is a JSON string', () => {
    expect(
      readStream(bodyOf('data: I\n\ndata: said\n\ndata: "yes"\n\ndata: there\n\n'), true).events.map(
        ({ data }) => data,
      ),
    ).toEqual(['I', 'said', '"yes"', 'there']);
  });

  it('with empty data, or with the name of a keep-alive, are passed over', () => {
    const reading = readStream(
      bodyOf('data:\n\nevent: ping\ndata: now\n\nevent: keep-alive\ndata: x\n\ndata: 1\n\nevent: end\n\n'),
    );
    expect(reading.events.map(({ data }) => data)).toEqual([1]);
    expect(reading.problems).toEqual([]);
  });

  it('whose data is not JSON are problems, told with their place', () => {
    const reading = readStream(bodyOf('data: {"n":1}\n\ndata: {"n":\n\ndata: {"n":3}\n\n{"n":4}\n\n'));
    expect(reading.events.map(({ data }) => data)).toEqual([{ n: 1 }, { n: 3 }]);
    expect(reading.problems).toEqual([
      { index: 1, message: 'the event is not JSON', excerpt: '{"n":' },
      { index: 2, message: 'text outside of any event', excerpt: '{"n":4}' },
    ]);
  });

  it('may lack the last blank line, but not a part of the last event', () => {
    expect(readStream(bodyOf('data: 1\n\ndata: {"n":2}')).problems).toEqual([]);
    expect(dataOf('data: 1\n\ndata: {"n":2}')).toEqual([1, { n: 2 }]);
    expect(readStream(bodyOf('data: 1\n\ndata: {"n":')).problems).toEqual([
      { index: 1, message: 'the last event is incomplete', excerpt: '{"n":' },
    ]);
  });

  it('are known from their bytes: comments alone are a stream without events', () => {
    expect(readStream(bodyOf(': wait\n\n: wait\n\n'))).toMatchObject({
      framing: 'sse',
      comments: 2,
      events: [],
    });
  });
});

describe('plain data among JSON events', () => {
  const read = (text: string) => readStream(bodyOf(`data: {"n":1}\n\ndata: {"n":2}\n\n${text}`));
  const two = [{ data: { n: 1 } }, { data: { n: 2 } }];

  it.each([
    ['end', 'data: end\n\n'],
    ['<|end|>', 'data: <|end|>\n\n'],
    ['[FINISHED]', 'data: [FINISHED]\n\n'],
    ['stream ended', 'event: done\ndata: stream ended\n\n'],
    ['stream ended', 'event: response.completed\ndata: stream ended\n\n'],
    ['end', 'data: end\n\nevent: ping\ndata: x\n\n'],
    ['end', 'data: end\n\ndata: ping\n\n'],
  ])('is the terminator %s at the end: %j', (terminator, text) => {
    expect(read(text)).toMatchObject({ events: two, problems: [], terminator, terminators: 1 });
  });

  it.each(['data: ping\n\n', 'data: [PING]\n\n', 'event: gateway.notice\ndata: back at noon, sharp\n\n'])(
    'is passed over where it is %j',
    (text) => {
      const reading = read(`${text}data: {"n":3}\n\n${text}data: {"n":4}\n\n`);
      expect(reading.events.map(({ data }) => data)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
      expect(reading).toMatchObject({ problems: [], terminator: null });
    },
  );

  it.each([
    ['a word before the end', 'data: end\n\ndata: {"n":3}\n\n'],
    ['words', 'data: lost the upstream\n\n'],
    ['half a document', 'data: {"n":\n\n'],
    ['half an array', 'data: ["n\n\n'],
    ['half a string', 'data: "n\n\n'],
    ['a document as Python prints it', "data: {'n':3}\n\n"],
    ['half a document under a name of its own', 'event: gateway.notice\ndata: {"n":\n\n'],
    ['half a document under the name of an end', 'event: done\ndata: {"n":\n\n'],
    ['text under the name of an error', 'event: error\ndata: lost the upstream\n\n'],
    ['text under the name of other events', 'event: a\ndata: {}\n\nevent: a\ndata: a b\n\n'],
  ])('is a problem where it is %s', (_, text) => {
    expect(read(text).problems).toHaveLength(1);
  });

  it('is no terminator and no notice where nothing is JSON', () => {
    expect(readStream(bodyOf('data: no\n\ndata: end\n\n')).problems).toHaveLength(2);
    expect(readStream(bodyOf('event: a\ndata: no\n\n')).problems).toHaveLength(1);
  });
});

describe('bare text in server-sent events', () => {
  const bare = (text: string) => readStream(bodyOf(text), true);

  it('is the data of its events where it may be', () => {
    const text =
      'data: Hel\n\nevent: ping\ndata:\n\ndata:  lo\ndata: \n\ndata: 42\n\ndata: "\n\ndata: [DONE]\n\n';
    const reading = bare(text);
    expect(reading.events.map(({ data }) => data)).toEqual(['Hel', ' lo\n', '42', '"']);
    expect(reading).toMatchObject({ problems: [], terminator: '[DONE]', terminators: 1 });
    expect(readStream(bodyOf(text)).problems).toHaveLength(3);
  });

  it('may be a brace now and then', () => {
    expect(bare('data: if (x) \n\ndata: {\n\ndata:  y\n\n').problems).toEqual([]);
  });

  it.each([
    ['half a document', 'data: {"t":"a"}\n\ndata: {"t":"b\n\n', 1],
    ['documents as Python prints them', "data: {'t': 'a'}\n\ndata: {'t': 'b'}\n\n", 2],
    ['text among as many documents', 'data: hello\n\ndata: {"t":"a"}\n\n', 1],
  ])('is not %s', (_, text, problems) => {
    expect(bare(text).problems).toHaveLength(problems);
  });

  it('is JSON where all of it is', () => {
    expect(bare('data: "Hel"\n\ndata: "lo"\n\n').events.map(({ data }) => data)).toEqual(['Hel', 'lo']);
  });

  it('stands under names of its own beside JSON events', () => {
    const reading = bare(
      'event: start\ndata: {"id":1}\n\nevent: output\ndata: {}\n\nevent: output\ndata: hel\n\nevent: output\ndata: lo\n\nevent: done\ndata: {}\n\n',
    );
    expect(reading.events.map(({ data }) => data)).toEqual([{ id: 1 }, '{}', 'hel', 'lo', {}]);
    expect(reading.problems).toEqual([]);
    const short = bare('event: output\ndata: hello\n\nevent: done\ndata: {}\n\n');
    expect(short).toMatchObject({ events: [{ data: 'hello' }, { data: {} }], problems: [] });
    const ended = bare('event: output\ndata: hello\n\nevent: done\ndata: bye now\n\n');
    expect(ended).toMatchObject({ events: [{ data: 'hello' }], terminator: 'bye now', problems: [] });
  });

  it('excuses no half document under another name', () => {
    const reading = bare('event: output\ndata: hello\n\nevent: x\ndata: {"a":\n\n');
    expect(reading.problems).toEqual([{ index: 1, message: 'the event is not JSON', excerpt: '{"a":' }]);
  });

  it('may hold the word ping, but not in brackets', () => {
    expect(bare('data: shop\n\ndata: [ping]\n\ndata: ping\n\n').events.map(({ data }) => data)).toEqual([
      'shop',
      'ping',
    ]);
  });

  it('has a document outside of any event as a problem', () => {
    expect(bare('data: Hel\n\ndata: lo\n\n{"n":1}\n\n').problems).toEqual([
      { index: 2, message: 'text outside of any event', excerpt: '{"n":1}' },
    ]);
  });
});

describe('JSON without SSE', () => {
  it('is read line by line', () => {
    const reading = readStream(bodyOf('{"n":1}\r\n', '{"n":2}{"n":3}\r\n\r\n', '[DONE]'));
    expect(reading).toMatchObject({
      framing: 'ndjson',
      lineEnding: 'crlf',
      terminator: '[DONE]',
      problems: [],
    });
    expect(reading.events.map(({ data, atMs }) => [data, atMs])).toEqual([
      [{ n: 1 }, 10],
      [{ n: 2 }, 20],
      [{ n: 3 }, 20],
    ]);
  });

  it('has problems where a line is broken or the last one is cut', () => {
    expect(readStream(bodyOf('{"n":1}\n{"n":\n{"n":3}\n{"n')).problems).toEqual([
      { index: 1, message: 'the event is not JSON', excerpt: '{"n":' },
      { index: 2, message: 'the last event is incomplete', excerpt: '{"n' },
    ]);
    expect(dataOf('{"n":\n{"n":2}\n{"n":3}\n')).toEqual([{ n: 2 }, { n: 3 }]);
  });

  it('is read value by value', () => {
    const reading = readStream(bodyOf('{"a":"}{\\""}', '{"b":[1,{}]}', ' {"c":3}'));
    expect(reading).toMatchObject({ framing: 'concatenated-json', problems: [] });
    expect(reading.events.map(({ data, atMs }) => [data, atMs])).toEqual([
      [{ a: '}{"' }, 10],
      [{ b: [1, {}] }, 20],
      [{ c: 3 }, 30],
    ]);
  });

  it('may be pretty-printed, an array of events, or parted by record separators', () => {
    const events = [{ a: [1] }, { b: { c: 2 } }];
    expect(dataOf(events.map((event) => JSON.stringify(event, null, 2)).join('\n'))).toEqual(events);
    expect(dataOf(JSON.stringify(events))).toEqual(events);
    expect(dataOf(JSON.stringify(events, null, 1))).toEqual(events);
    expect(dataOf('[{"a":1},\r\n', '{"b":2},\r\n', '{"c":')).toEqual([{ a: 1 }, { b: 2 }]);
    expect(dataOf('\u001e{"a":1}\n\u001e{"b":2}\n')).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it.each([
    ['nothing', ''],
    ['text', 'Unauthorized'],
    ['HTML', '<html>\ndata: x\n</html>'],
    ['one document', '{"object":"response"}\n'],
    ['one document in several lines', '{\n  "data": [\n    {}\n  ]\n}'],
    ['one document, cut', '{"object":"resp'],
    ['an array of one', '[{"error":{"code":400}}]'],
  ])('is no stream where it is %s', (_name, text) => {
    expect(readStream(bodyOf(text))).toMatchObject({ framing: 'none', events: [], problems: [] });
  });
});

it.each([
  ['events', 10_000, '{}', 10_010, 10_000],
  ['values', 400_000, `[${'1,'.repeat(39_998)}1]`, 12, 10],
])('reads no more %s than %i, and says so', (bound, limit, data, sent, read) => {
  const reading = readStream(bodyOf(`data: ${data}\n\n`.repeat(sent)));
  expect(reading.events).toHaveLength(read);
  expect(reading).toMatchObject({ problems: [], passes: { bound, limit } });
});

it('survives JSON that is nested too deep', () => {
  const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
  expect(readStream(bodyOf(`data: 1\n\ndata: ${deep}\n\n`))).toMatchObject({
    events: [{ data: 1 }],
    problems: [{ message: 'the event is not JSON' }],
  });
});

const json = fc.jsonValue({ maxDepth: 2 }).filter((value) => typeof value === 'object' && value !== null);

it('reads the same events however the bytes were cut on their way', () => {
  const framed = fc
    .array(json, { minLength: 2, maxLength: 5 })
    .chain((values) =>
      fc.constantFrom(
        values.map((value) => `: c\r\nevent: e\r\ndata: ${JSON.stringify(value)}\r\n\r\n`).join(''),
        values.map((value) => `${JSON.stringify({ value })}\n`).join(''),
        values.map((value) => JSON.stringify({ value }, null, 1)).join(''),
      ),
    );
  const cuts = fc.array(fc.nat(400), { maxLength: 20 });
  fc.assert(
    fc.property(framed, cuts, (text, places) => {
      const bytes = Buffer.from(text);
      const sorted = [...new Set(places.map((place) => place % bytes.length))].sort((a, b) => a - b);
      const pieces = [0, ...sorted].map((start, index) => bytes.subarray(start, sorted[index]));
      const cut = readStream(bodyOf(...pieces));
      const whole = readStream(bodyOf(text));
      const untimed = (reading: typeof cut) => ({
        ...reading,
        events: reading.events.map((event) => ({ ...event, atMs: 0 })),
      });
      expect(untimed(cut)).toEqual(untimed(whole));
      expect(whole.problems).toEqual([]);
      const times = cut.events.map(({ atMs }) => atMs);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }),
    { numRuns: 200, seed: 1 },
  );
});

it('reads back every event that was written, in each framing', () => {
  fc.assert(
    fc.property(fc.array(json, { minLength: 2, maxLength: 6 }), (values) => {
      const wrapped = values.map((value) => ({ value }));
      const back = wrapped.map((value) => JSON.parse(JSON.stringify(value)));
      expect(dataOf(wrapped.map((value) => `data: ${JSON.stringify(value)}\n\n`).join(''))).toEqual(back);
      expect(dataOf(wrapped.map((value) => JSON.stringify(value)).join('\n'))).toEqual(back);
      expect(dataOf(wrapped.map((value) => JSON.stringify(value)).join(''))).toEqual(back);
    }),
    { numRuns: 200, seed: 2 },
  );
});

it('keeps the beginning of a name that has no end', () => {
  const reading = readStream(bodyOf(`event: ${'a'.repeat(100_000)}\ndata: {}\n\n`));
  expect(reading.events.map(({ name }) => name)).toEqual(['a'.repeat(200)]);
});
