import { protocolFacts } from '../../../spec/protocols.ts';
import { validator, type Violation } from '../../../spec/validators.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import type { Failure } from '../../model/finding.ts';
import { createdProblem, emptyFirstBlock } from './field-rules.ts';
import { fieldRows } from './field-rows.ts';
import { violationReason } from './violations.ts';

/** The violations of one result, by requirement. */
export function fieldViolations(protocol: Protocol, json: unknown): ReadonlyMap<string, Failure> {
  const found = new Map<string, Failure>();
  const first = firstMessage(protocol, json);
  // What is no object, such as a list with the result in it, has none of the fields.
  const fields = typeof json === 'object' && !Array.isArray(json) ? json : {};
  for (const violation of validator(protocolFacts[protocol].resultSchema)(fields).errors) {
    if (!isJudged(violation, first)) continue;
    const matching = fieldRows[protocol].filter(
      (candidate) =>
        candidate.at.test(violation.pointer) &&
        (candidate.keyword ?? violation.keyword) === violation.keyword,
    );
    // A message that is missing lacks its role and its content; else the first row that matches holds.
    const blamed = violation.pointer.endsWith('/message') ? matching : matching.slice(0, 1);
    for (const { requirement } of blamed)
      if (!found.has(requirement)) found.set(requirement, failureOf(violation));
  }
  const emptied = protocol === 'messages' ? emptyFirstBlock(json) : undefined;
  if (emptied) found.set('messages.result.content.text', emptied);
  const created = createdProblem(json);
  const dated = `${protocol}.result.created`;
  if (created && fieldRows[protocol].some((entry) => entry.requirement === dated) && !found.has(dated))
    found.set(dated, created);
  return found;
}

const failureOf = (violation: Violation): Failure => ({
  reason: violationReason(violation),
  pointer: violation.pointer,
  actual: violation.actual ?? 'nothing',
});

/** How many images there must be is a requirement of its own, and so are message items behind the first. */
const isJudged = ({ pointer, keyword }: Violation, first: number): boolean =>
  !(pointer === '/data' && keyword === 'minItems') &&
  !(/^\/output\/\d+\//.test(pointer) && !pointer.startsWith(`/output/${first}/`));

function firstMessage(protocol: Protocol, json: unknown): number {
  if (protocol !== 'responses') return -1;
  const output = (json as { output?: unknown } | null)?.output;
  return Array.isArray(output)
    ? output.findIndex((item: { type?: unknown } | null) => item?.type === 'message')
    : -1;
}
