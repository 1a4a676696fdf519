import type { CheckOf } from '../types/checks/check.ts';
import type { CheckDefinition } from './check-definition.ts';
import type { EvidenceView } from './evidence-view.ts';
import { untested } from './shared/findings.ts';

export const undeclared: CheckDefinition<'undeclared'> = {
  explanation: 'The target declares nothing to test it with.',
  reads: ({ offered }) => (offered ? [offered.probe, offered.invented] : []),
  judge(check, view) {
    const { reason: why } = check;
    return untested(offeredAs(check, view) ?? { kind: 'undeclared', why });
  },
};

/** The statuses that HTTP has for what is not there. */
const absent: ReadonlySet<number> = new Set([404, 405, 410]);

/** What shows that the endpoint is there: its own reply, where an invented path gets another one. */
function offeredAs({ reason: why, offered }: CheckOf<'undeclared'>, view: EvidenceView) {
  if (offered === undefined) return undefined;
  const [own, other] = [view.state(offered.probe), view.state(offered.invented)];
  const [status, invented] = [own, other].map(({ exchange }) => exchange?.response?.status);
  const protocol = view.request(offered.probe)?.protocol;
  if (status === undefined || invented === undefined || protocol === undefined) return undefined;
  // What a target says of its own state, or of where to go, tells nothing of what is there.
  const isThere = own.kind === 'answered' || (own.kind === 'refused' && status >= 400 && status < 500);
  if (!isThere || absent.has(status) || other.kind !== 'refused' || status === invented) return undefined;
  return { kind: 'offered-undeclared', why, protocol, status, invented } as const;
}

export const sameModel: CheckDefinition<'same-model'> = {
  explanation:
    'Two families are declared with the same model name, and one must be served where the other must be refused.',
  reads: () => [],
  judge: ({ families }) => untested({ kind: 'same-model', families }),
};

export const tooCostly: CheckDefinition<'too-costly'> = {
  explanation: 'Left out: the run was asked to skip what costs most.',
  reads: () => [],
  judge: ({ value }) => untested({ kind: 'too-costly', value }),
};
