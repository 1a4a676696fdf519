import { protocolFacts } from '../../../spec/protocols.ts';
import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { Combination, Setting } from '../../types/combination.ts';
import { signInWords, signsOf } from '../../types/text-differences.ts';
import { longMinimal, longOptional } from '../builder/bodies.ts';
import { valueSetting } from './row-settings.ts';

const contentAccepted = (protocol: TextProtocol): string =>
  `${protocol}.param.${protocolFacts[protocol].content}.accepted`;

const signSetting = (protocol: TextProtocol, sign: string): Setting => ({
  factor: `sign-${(sign.codePointAt(0) ?? 0).toString(16)}`,
  description: `${signInWords(sign)} in its text`,
  requirements: [contentAccepted(protocol)],
  isOfPrompt: true,
  sign,
});

const optionalSettings = (protocol: TextProtocol): readonly Setting[] =>
  Object.entries(longOptional(protocol)).map(([name, value]) => valueSetting(protocol, name, value));

/** What breaks where such a request is refused. */
export const signsRequirements = (protocol: TextProtocol): readonly string[] => [
  contentAccepted(protocol),
  ...optionalSettings(protocol).flatMap(({ requirements }) => requirements),
];

/** A request for a text: its optional parameters and the signs of the text can be left out of it. */
export function signsCombination(protocol: TextProtocol, text: string): Combination {
  const { content } = protocolFacts[protocol];
  const { [content]: asked, ...base } = longMinimal(protocol, text);
  const question = typeof asked === 'string' ? asked : lastContent(asked);
  return {
    base,
    content,
    isListed: typeof asked !== 'string',
    question,
    settings: [
      ...optionalSettings(protocol),
      ...signsOf(question).map((sign) => signSetting(protocol, sign)),
    ],
  };
}

/** The text of the last of some turns. */
function lastContent(turns: unknown): string {
  const last: unknown = Array.isArray(turns) ? turns.at(-1) : undefined;
  const text = typeof last === 'object' && last !== null && 'content' in last ? last.content : undefined;
  return typeof text === 'string' ? text : '';
}
