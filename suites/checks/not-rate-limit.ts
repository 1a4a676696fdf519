import type { NotRateLimit } from '../types/checks/errors.ts';
import type { Outcome } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, isAnswered } from './evidence-view.ts';
import { describeFirst, describeReply } from './shared/describe.ts';
import { fail, inconclusive, pass, untested } from './shared/findings.ts';
import { tellsApart } from './shared/refusal-features.ts';
import { isLimitOfEndpoint, mayBeLoginLimit, refusalsOrRateLimits } from './shared/refusals.ts';

/**
 * Every invalid token gets 429, and nothing in the body tells it from a spent limit. A limit of failed logins, which
 * begins after an invalid token was refused in other words, is another matter; one endpoint alone has none.
 */
export const notRateLimit: CheckDefinition<NotRateLimit> = {
  kind: 'not-rate-limit',
  explanation:
    'Fails where each request with an invalid token gets HTTP 429 again and again while a valid request is answered, no invalid token was refused in other words before, or only on other endpoints, which go on to do so, and no stable field of the body differs from the reply to a spent limit, where such a token is declared.',
  reads: ({ probes, control, limited }) => [...probes, control, ...limited],
  judge,
};

function judge({ probes, control, limited }: NotRateLimit, view: EvidenceView): Outcome {
  if (!isAnswered(view, control)) return inconclusive('control-unanswered', describeFirst(view, [control]));
  const states = probes.map((id) => view.state(id));
  const protocol = view.request(probes[0] ?? '')?.protocol;
  const refused =
    protocol !== undefined && isLimitOfEndpoint(view, protocol)
      ? refusalsOrRateLimits(view, probes)
      : states
          .filter((state) => state.kind === 'refused')
          .map(({ exchange }) => exchange)
          .filter((exchange) => !mayBeLoginLimit(view, exchange));
  const [first] = refused;
  if (refused.some(({ response }) => response?.status !== 429)) return pass();
  if (first === undefined || refused.length < states.length)
    return inconclusive('no-conclusive-reply', describeFirst(view, probes));
  const limits = refusalsOrRateLimits(view, limited);
  if (limits.length === 0 && limited.length > 0) return untested('no-limit-seen');
  if (limits.length > 0 && tellsApart(refused, limits) !== undefined) return pass();
  return fail('told-as-rate-limit', describeReply(first), { exchange: first.id });
}
