import type { TextProtocol } from '../../spec/vocabulary.ts';
import type { Check } from '../model/case.ts';
import type { Judgement } from '../model/finding.ts';
import { replyText } from '../reading/text.ts';
import type { Dossier, State } from './dossier.ts';
import { excerpt, fail, inconclusive, pass, told } from './say.ts';

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Whether a text holds a nonce, however it is spelt out. */
export const holds = (text: string, nonce: string): boolean => letters(text).includes(letters(nonce));

/** Whether a reply gives a nonce back. */
export const recalls = (state: State, protocol: TextProtocol, nonce: string): boolean =>
  state.kind === 'answered' && holds(replyText(state.reading, protocol), nonce);

/**
 * What was given as context comes back. The protocol is failed only where the control, which has it in
 * the question, recalls and the probe never does in any attempt (principle 9).
 */
export function recall(check: Extract<Check, { kind: 'recall' }>, dossier: Dossier): Judgement {
  const { requirement, protocol, probes, controls } = check;
  const heard = probes.find(({ exchange, nonce }) => recalls(dossier.state(exchange), protocol, nonce));
  if (heard) return { findings: [pass(requirement)], shows: heard.exchange };
  const states = probes.map(({ exchange }) => dossier.state(exchange));
  const silent = states.filter((state) => state.kind === 'answered');
  const [first] = states;
  if (silent.length < probes.length) {
    return {
      findings: [
        inconclusive(requirement, 'not every attempt was answered', first ? told(first) : 'not sent'),
      ],
    };
  }
  const control = dossier.state(controls[0]?.exchange ?? '');
  if (control.kind !== 'answered') {
    return { findings: [inconclusive(requirement, 'the control is not answered', told(control))] };
  }
  if (!controls.some(({ exchange, nonce }) => recalls(dossier.state(exchange), protocol, nonce))) {
    const message = 'the model does not even give back what stands in the question';
    return { findings: [inconclusive(requirement, message, message, 'model-behaviour')] };
  }
  if (
    isEcho(silent, check) &&
    !check.elsewhere.some((asked) => recalls(dossier.state(asked.exchange), asked.protocol, asked.nonce))
  ) {
    const message = 'the model repeats its last message, and shows nowhere that it is given more';
    return { findings: [inconclusive(requirement, message, message, 'model-behaviour')] };
  }
  const [asked] = probes;
  const said = first?.kind === 'answered' ? excerpt(replyText(first.reading, protocol)) : '';
  const message = `not recalled in ${probes.length} attempts, and recalled where it stands in the question`;
  return {
    findings: [
      fail(requirement, {
        message,
        expected: asked?.nonce ?? 'the nonce',
        actual: said === '' ? 'no text' : said,
      }),
    ],
  };
}

/** A model that says its last message again: the control, which has the nonce there, tells nothing of it. */
const isEcho = (
  states: readonly State[],
  { question, protocol }: { question: string; protocol: TextProtocol },
): boolean =>
  states.every((state) => state.kind === 'answered' && holds(replyText(state.reading, protocol), question));

/** A branch of a chain knows its own turns; what was said in another branch can't be known in it (4.1). */
export function branch(check: Extract<Check, { kind: 'branch' }>, dossier: Dossier): Judgement {
  const { requirement, probe, own, foreign } = check;
  const state = dossier.state(probe);
  if (state.kind !== 'answered')
    return { findings: [inconclusive(requirement, 'no reply decides it', told(state))] };
  const text = replyText(state.reading, 'responses');
  if (holds(text, foreign)) {
    const message = 'the reply knows what was said in another branch only';
    return { findings: [fail(requirement, { message, expected: own, actual: excerpt(text) })] };
  }
  if (holds(text, own)) return { findings: [pass(requirement)] };
  return {
    findings: [inconclusive(requirement, 'the reply names neither branch', excerpt(text), 'model-behaviour')],
  };
}
