import type { ContextChecks } from './context.ts';
import type { ErrorChecks } from './errors.ts';
import type { ReplyChecks } from './replies.ts';
import type { RequestChecks } from './requests.ts';

/** What each kind of check reads. */
interface Checks extends RequestChecks, ReplyChecks, ContextChecks, ErrorChecks {}
export type CheckKind = keyof Checks;

/** How a case judges its exchanges: which check, and what that check reads. */
export type Check = { [Kind in CheckKind]: { readonly kind: Kind } & Checks[Kind] }[CheckKind];
export type CheckOf<Kind extends CheckKind> = Extract<Check, { readonly kind: Kind }>;
