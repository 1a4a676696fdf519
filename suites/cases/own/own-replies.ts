import { extension, type ReplyRule } from '../../../spec/extension.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import { isTextProtocol, type Protocol, protocols } from '../../../spec/vocabulary.ts';
import type { SuiteName } from '../../types/suite-names.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { combinationRows } from '../combinations/rows-showing.ts';

const suites: Readonly<Record<ReplyRule['of'], SuiteName>> = {
  answers: 'results',
  streams: 'streams',
  'invalid tokens': 'authentication',
  'every reply': 'results',
};

/** Requests that show replies of a kind on an endpoint: the plain one first, which tells that the endpoint answers. */
function shown(builder: CaseBuilder, protocol: Protocol, of: ReplyRule['of']): readonly string[] {
  const plain = [
    builder.control(protocol),
    ...(isTextProtocol(protocol) ? [builder.streamed(protocol)] : []),
  ];
  const invalid = [...builder.requests.values()].filter(
    (request) => request.protocol === protocol && request.credential.form === 'invalid',
  );
  const rows = of === 'invalid tokens' ? [] : combinationRows(builder, protocol);
  const refused = of === 'invalid tokens' || of === 'every reply' ? invalid : [];
  return [...plain, ...[...rows, ...refused].map(({ id }) => id)];
}

/** What an extension states of the replies of an endpoint that come anyway. */
export function ownReplyCases(builder: CaseBuilder): void {
  for (const { id, statement, replies = [] } of extension()?.statements ?? [])
    for (const [at, rule] of replies.entries())
      for (const protocol of rule.protocols ?? protocols) {
        if (rule.of === 'streams' && !isTextProtocol(protocol)) continue;
        const suite = suites[rule.of];
        builder.add(
          {
            suite,
            id: `${suite}.${protocol}.${id}${replies.length > 1 ? `.${at + 1}` : ''}`,
            title: `${protocolFacts[protocol].endpoint}: ${statement}`,
            requirements: [id],
          },
          protocol,
          () => ({
            kind: 'reply-rule',
            requirement: id,
            protocol,
            rule,
            probes: shown(builder, protocol, rule.of),
          }),
        );
      }
}
