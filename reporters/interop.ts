import { protocolFacts } from '../spec/protocols.ts';
import type { InteropAsked, InteropClient, InteropResult } from '../suites/types/interop.ts';
import { verdictSign } from './wording.ts';

const askedWords: Readonly<Record<InteropAsked, string>> = {
  answer: '',
  stream: ' stream',
  'invalid-token': ' invalid token',
  'spent-token': ' spent limit',
  'unknown-model': ' unknown model',
};

/** `chat stream`: what was asked for, in few words. */
export const resultName = ({ protocol, asked }: InteropResult): string => `${protocol}${askedWords[asked]}`;

/** `openai 6.49.0`, or its name alone where it is not installed. */
export function clientName({ client, versions }: InteropClient): string {
  const [first, ...others] = Object.entries(versions);
  if (first === undefined) return client;
  const rest = others.map(([name, version]) => ` with ${name} ${version}`).join('');
  return `${first[0]} ${first[1]}${rest}`;
}

const isError = ({ asked }: InteropResult): boolean => asked !== 'answer' && asked !== 'stream';

const signed = (name: string, ok: boolean): string => `${name} ${verdictSign[ok ? 'pass' : 'fail']}`;

/** `chat ✓, chat stream ✓, chat errors ✓`: errors of an endpoint are one where the client told all of them apart. */
export function resultsText({ results }: InteropClient): string {
  const words = results.flatMap((one, at) => {
    if (!isError(one)) return [signed(resultName(one), one.ok)];
    const errors = results.filter((other) => isError(other) && other.protocol === one.protocol);
    if (errors.some(({ ok }) => !ok)) return [signed(resultName(one), one.ok)];
    return results.indexOf(errors[0] ?? one) === at ? [signed(`${one.protocol} errors`, true)] : [];
  });
  return words.join(', ');
}

/** Whether a client got all that it asked for, some of it not, or was not tried. */
export function clientTone({ results }: InteropClient): 'pass' | 'fail' | 'untested' {
  if (results.length === 0) return 'untested';
  return results.every(({ ok }) => ok) ? 'pass' : 'fail';
}

/** `works with`, or where it does not. */
export const clientSays: Readonly<Record<ReturnType<typeof clientTone>, string>> = {
  pass: 'works with',
  fail: 'fails in part with',
  untested: 'not tried with',
};

/** Where an endpoint of a failed result stands in the interface. */
export const resultSection = ({ protocol }: InteropResult): string => protocolFacts[protocol].section;
