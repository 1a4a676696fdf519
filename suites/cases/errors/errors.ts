import { type Protocol, protocols } from '../../../spec/vocabulary.ts';
import { addObservation, type CaseBuilder } from '../builder/case-builder.ts';
import { cellId } from '../../types/request-ids.ts';
import { probeCases } from '../probes/probe-cases.ts';
import {
  rateLimitCases,
  authenticationErrors,
  bodyErrors,
  furtherAuthenticationErrors,
  generalErrors,
  rangeErrors,
  rateLimitErrors,
  sendAuthenticationErrors,
} from './rate-limits.ts';

/** The failure classes of section 7, told apart; and what is not shown about them. */
export function errorCases(builder: CaseBuilder): void {
  for (const protocol of protocols) {
    invalidTokenCases(builder, protocol);
    probeCases(builder, 'errors', protocol);
  }
  rateLimitCases(builder);
  // The reply to a model on a protocol that does not support it is not shown (7).
  const probes = unsupportedRoutes.filter((id) => builder.requests.has(id));
  addObservation(builder, {
    id: 'errors.unsupported-route',
    title: 'the reply to a model on a protocol or group that does not support it',
    requirement: 'errors.unsupported-route',
    needs: probes.length > 0 ? null : { undeclared: 'no model with an unsupported protocol is declared' },
    subject: 'a model on a protocol or group that does not support it',
    aspect: 'answer-or-refusal',
    protocol: 'responses',
    probes: () => probes,
  });
  // Whether wrong requests lock out valid ones is not shown (7, 8).
  const declared = protocols.filter((protocol) => builder.callers(protocol).length > 0);
  builder.add({
    id: 'errors.lock-out',
    title: 'whether valid requests are refused for a while after wrong ones',
    requirement: 'errors.lock-out',
    needs: declared.length > 0 ? null : { undeclared: 'no model is declared that can be called' },
    check: () => ({ kind: 'lock-out', probes: declared.map((protocol) => builder.control(protocol)) }),
  });
}

function invalidTokenCases(builder: CaseBuilder, protocol: Protocol): void {
  const mayBeAbsent = true as const;
  builder.add({
    id: `errors.${protocol}.authentication`,
    title: `${protocol}: the error for an invalid token differs from other errors`,
    requirement: 'errors.authentication.distinct',
    check: () => {
      const own = sendAuthenticationErrors(builder, protocol);
      const probes = [...own, ...furtherAuthenticationErrors(builder, protocol)];
      const others = [
        { name: 'a general error', ...generalErrors(builder, protocol) },
        { name: 'the error for a body that is not JSON', probes: bodyErrors(protocol), mayBeAbsent },
        ...rangeErrors(builder, protocol).map(({ parameter, ...ofRange }) => ({
          name: `the error for ${parameter} beyond its range`,
          ...ofRange,
          mayBeAbsent,
        })),
      ];
      return { kind: 'distinct', comparisons: [{ probes, others, control: builder.after(protocol) }] };
    },
  });
  builder.add({
    id: `errors.${protocol}.invalid-token`,
    title: `${protocol}: the error for an invalid token is not that of a rate limit`,
    requirement: 'errors.invalid-token.distinct',
    check: () => ({
      kind: 'not-rate-limit',
      probes: authenticationErrors(protocol),
      control: builder.control(protocol),
      limited: builder.scope.rateLimited ? rateLimitErrors(protocol) : [],
    }),
  });
}

/** Cells that must be refused, one for each reason. */
const unsupportedRoutes: readonly string[] = [
  cellId({ family: 'multimodal', group: 'default' }, 'responses'),
  cellId({ family: 'conversational', group: 'coding-tool' }, 'messages'),
  cellId({ family: 'conversational', group: 'default' }, 'responses'),
];
