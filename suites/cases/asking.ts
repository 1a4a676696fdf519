import type { TextProtocol } from '../../spec/vocabulary.ts';
import type { Asked } from '../model/case.ts';
import type { Template } from '../model/plan.ts';
import type { Kit } from '../plan/kit.ts';

/** What every probe asks last. */
export const question = 'What is the code name? Reply with the code name only.';
/** What puts a nonce into the context. */
export const told = (nonce: string): string => `The code name is ${nonce}.`;

/** How often a model is asked before its silence counts (design principle 9). */
export const attempts = [1, 2, 3] as const;

/** Asks up to three times, each with a nonce of its own; a later one only where the earlier was not recalled. */
export function ask(
  kit: Kit,
  protocol: TextProtocol,
  id: string,
  body: (nonce: string) => Template,
): readonly Asked[] {
  const asked: Asked[] = [];
  for (const attempt of attempts) {
    const nonce = kit.data.nonce();
    const before = asked.at(-1);
    const exchange = kit.send(`${id}.${attempt}`, protocol, {
      json: body(nonce),
      ...(before ? { billed: 0, when: [{ kind: 'not-recalled', ...before }] } : {}),
    });
    asked.push({ exchange, nonce });
  }
  return asked;
}
