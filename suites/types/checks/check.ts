import type { ContextCheck } from './context.ts';
import type { ErrorCheck } from './errors.ts';
import type { ReplyCheck } from './replies.ts';
import type { RequestCheck } from './requests.ts';

/** How a case judges its exchanges: which check, and what that check reads. */
export type Check = RequestCheck | ReplyCheck | ContextCheck | ErrorCheck;
