import type { Credential, PlannedRequest } from '../../types/plan.ts';

/** A request whose credential is not in the documented form, and what the document makes of it. */
export interface CredentialForm {
  readonly slug: string;
  readonly description: string;
  /** Id of the requirement behind the protocol; `unspecified` ones are observed. */
  readonly requirement: string;
  readonly unspecified?: true;
  readonly credential?: Credential;
  readonly version?: PlannedRequest['version'];
  /** Slug of another form: where that one is answered already, this one shows no more. */
  readonly unless?: string;
  /** What has no token in it, or more than one, may be taken for an invalid one, where those are accepted. */
  readonly asInvalid?: true;
  /** Asked for as a stream, too: a gateway may check a credential for plain replies and not for streams. */
  readonly streamed?: true;
  /** Shown in the shortest request, without `stream`: most clients send it so. */
  readonly isShortest?: true;
  /**
   * Shown in one of the situations, or in one of those with a stream where the endpoint has any: a gateway may check a
   * credential in one kind of request and not in another. The forms of an invalid token are together shown in as much
   * as one that is shown everywhere.
   */
  readonly in?: 'situation' | 'stream';
  /** Shown in so many situations, too, that together they have all that a request may have. */
  readonly everywhere?: true;
}
