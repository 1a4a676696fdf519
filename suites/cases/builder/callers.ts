import { groups, type Protocol } from '../../../spec/vocabulary.ts';
import type { Caller } from '../../model/plan.ts';
import type { Scope } from '../../model/scope.ts';

/** Who can judge each protocol: the cells that the document says are served, in order of preference. */
const servedCallers: Readonly<Record<Protocol, readonly Caller[]>> = {
  responses: groups.map((group) => ({ family: 'general', group })),
  messages: [{ family: 'conversational', group: 'third-party-client' }],
  chat: [
    { family: 'multimodal', group: 'default' },
    { family: 'general', group: 'default' },
  ],
  images: groups.map((group) => ({ family: 'image', group })),
};

/** Those of them that the target declares. */
export const declaredCallers = (scope: Scope, protocol: Protocol): readonly Caller[] =>
  servedCallers[protocol].filter(
    ({ family, group }) => scope.families.includes(family) && scope.groups.includes(group),
  );

/** Why a protocol without a caller has nothing to be tested with. */
export const noCaller: Readonly<Record<Protocol, string>> = {
  responses: 'no general model with a token of a group is declared',
  messages: 'no conversational model with a third-party-client token is declared',
  chat: 'no multimodal or general model with a default token is declared',
  images: 'no image model with a token of a group is declared',
};
