import fc from 'fast-check';
import { expect, test } from 'vitest';
import { protocols } from '../../spec/vocabulary.ts';
import { replied } from '../../suites/checks/evidence.fixture.ts';
import { readReply } from '../../suites/reading/reply.ts';
import { exchangeFor } from './replies.fixture.ts';

const protocol = fc.constantFrom(...protocols);
const status = fc.constantFrom(200, 201, 301, 400, 401, 403, 404, 422, 500);

/** Member names that no result of any protocol has. */
const foreign = fc.string({ minLength: 1, maxLength: 8 }).map((name) => `x-${name}`);
const { document } = fc.letrec<{ document: unknown; value: unknown }>((tie) => ({
  document: fc.dictionary(foreign, tie('value'), { maxKeys: 5 }),
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('document'),
  ),
}));

test('a document without a single member of a result is never called a result', () => {
  fc.assert(
    fc.property(document, status, protocol, (json, code, asked) => {
      expect(readReply(replied('a', { status: code, json }), asked).kind).toBe('refusal');
    }),
    { numRuns: 1000 },
  );
});

test('an error object is never called a result, whatever it holds', () => {
  const fields = fc.dictionary(
    fc.constantFrom('message', 'type', 'code', 'param', 'status', 'content'),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(fields, status, protocol, (error, code, asked) => {
      const json = { error: { message: 'no', ...error } };
      expect(readReply(replied('a', { status: code, json }), asked).kind).toBe('refusal');
    }),
    { numRuns: 1000 },
  );
});

test('any JSON is called something', () => {
  fc.assert(
    fc.property(fc.jsonValue(), status, protocol, (json, code, asked) => {
      expect(['result', 'stream', 'refusal']).toContain(
        readReply(replied('a', { status: code, json }), asked).kind,
      );
    }),
    { numRuns: 1000 },
  );
});

test('any reply is called something, whatever its body and however it ended', () => {
  const asked = protocol.chain((each) => exchangeFor(each).map((reply) => [each, reply] as const));
  fc.assert(
    fc.property(asked, ([each, reply]) => {
      const { kind } = readReply(reply, each);
      expect(['result', 'stream', 'refusal', 'transient']).toContain(kind);
      if (reply.response === null || reply.ending.kind !== 'complete') expect(kind).toBe('transient');
    }),
    { numRuns: 800 },
  );
});
