import type { Protocol } from '../../spec/vocabulary.ts';
import type { Transient } from '../types/reasons/exchange-reasons.ts';
import type { StreamReading } from './stream.ts';

/** What a refusal looks like; the interface shows none, so each is allowed (section 7). */
export type RefusalForm =
  | 'error-json'
  | 'other-json'
  | 'error-stream'
  | 'other-stream'
  | 'empty-stream'
  | 'text'
  | 'html'
  | 'empty'
  | 'undecodable'
  | 'redirect';

/** What a reply amounts to (design principle 5). */
export type ReplyReading =
  /** One JSON document that is a result, however faulty, or that carries generated output. */
  | {
      readonly kind: 'result';
      readonly json: unknown;
      /** The protocol in whose shape it is one: the endpoint's own, unless the output has another's. */
      readonly shape: Protocol;
      /** Something stands behind it that is no part of it: the body is no JSON document. */
      readonly isTrailed?: true;
    }
  /** A stream of that endpoint, however faulty, or one that carries generated output. */
  | {
      readonly kind: 'stream';
      readonly stream: StreamReading;
      /** By the endpoint's own protocol. */
      readonly text: string;
      readonly shape: Protocol;
    }
  | {
      readonly kind: 'refusal';
      readonly form: RefusalForm;
      readonly json?: unknown;
      /**
       * A stream that says nothing of an error and carries no output that we know: no output is all that a
       * refusal needs, but where a stream is due it is a stream, and what it lacks is that stream's fault.
       */
      readonly stream?: StreamReading;
    }
  /** It proves nothing. */
  | { readonly kind: 'transient'; readonly transient: Transient };
