import { extension, type ReplyRule } from '../../../spec/extension.ts';
import { protocolsOf } from '../../../spec/own-rows.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import { requirements } from '../../../spec/requirements.ts';
import { isTextProtocol, type Protocol } from '../../../spec/vocabulary.ts';
import type { SuiteName } from '../../types/suite-names.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { combinationRows } from '../combinations/situations.ts';

const suites: Readonly<Record<ReplyRule['of'], SuiteName>> = {
  answers: 'results',
  streams: 'streams',
  'invalid tokens': 'authentication',
  'spent limits': 'errors',
  'wrong requests': 'parameters',
  'every reply': 'results',
};

/** The requests that show each class of failures, and the rows of the covering array that show answers. */
function kindsOf(builder: CaseBuilder, protocol: Protocol, of: ReplyRule['of']): readonly string[] {
  const all = [...builder.requests.values()].filter((request) => request.protocol === protocol);
  const invalid = all.filter(({ credential }) => credential.form === 'invalid');
  const rows = (): readonly { readonly id: string }[] => combinationRows(builder, protocol);
  const idsOf = (those: readonly { readonly id: string }[]): readonly string[] => those.map(({ id }) => id);
  switch (of) {
    case 'invalid tokens':
      return idsOf(invalid);
    case 'spent limits':
      return idsOf(all.filter(({ expect, stage }) => expect === 'limited' && stage !== 'declared'));
    case 'wrong requests':
      return requirements()
        .filter(({ id, about }) => about?.protocol === protocol && id.startsWith(`${protocol}.param.`))
        .flatMap(({ id }) => builder.refusedFor(id));
    case 'every reply':
      return idsOf([...rows(), ...invalid]);
    default:
      return idsOf(rows());
  }
}

/** What an extension states of the replies of an endpoint that come anyway. */
export function ownReplyCases(builder: CaseBuilder): void {
  for (const { id, statement, replies = [] } of extension()?.statements ?? [])
    for (const [at, rule] of replies.entries())
      for (const protocol of protocolsOf(rule)) {
        if (rule.of === 'streams' && !isTextProtocol(protocol)) continue;
        const suite = suites[rule.of];
        // Requests that show replies of a kind on an endpoint: the plain one first, which tells that the endpoint answers.
        const probes = () => [
          builder.control(protocol),
          ...(isTextProtocol(protocol) ? [builder.streamed(protocol)] : []),
          ...kindsOf(builder, protocol, rule.of),
        ];
        builder.add({
          id: `${suite}.${protocol}.${id}${replies.length > 1 ? `.${at + 1}` : ''}`,
          title: `${protocolFacts[protocol].endpoint}: ${statement}`,
          requirement: id,
          needs:
            rule.of === 'spent limits' && !builder.scope.rateLimited
              ? { undeclared: 'no rate-limited token is declared' }
              : protocol,
          check: () => ({ kind: 'reply-rule', protocol, rule, probes: probes() }),
        });
      }
}
