import type {
  Served,
  Accepted,
  AcceptedSomehow,
  Optional,
  CombinationCheck,
  Refused,
  Conflict,
  Steady,
  StillServed,
  SameModelCheck,
  Undeclared,
  TooCostly,
} from './requests.ts';
import type {
  ResultFields,
  Output,
  Availability,
  WholeResults,
  Intact,
  OwnContext,
  ImageCount,
  ImageUrl,
  ChatCompletion,
  TokenLimit,
  Unstreamed,
  Stream,
  Incremental,
  Observe,
} from './replies.ts';
import type { Recall, Branch } from './context.ts';
import type { Distinct, NotRateLimit, Limited, LockOut } from './errors.ts';

/** How a case judges its exchanges: which check, and what that check reads. */
export type Check =
  | Served
  | Accepted
  | AcceptedSomehow
  | Optional
  | CombinationCheck
  | Refused
  | Conflict
  | Steady
  | StillServed
  | SameModelCheck
  | Undeclared
  | TooCostly
  | ResultFields
  | Output
  | Availability
  | WholeResults
  | Intact
  | OwnContext
  | ImageCount
  | ImageUrl
  | ChatCompletion
  | TokenLimit
  | Unstreamed
  | Stream
  | Incremental
  | Observe
  | Recall
  | Branch
  | Distinct
  | NotRateLimit
  | Limited
  | LockOut;
