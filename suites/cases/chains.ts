import type { Asked } from '../model/case.ts';
import type { Template } from '../model/plan.ts';
import { asking, type Kit } from '../plan/kit.ts';
import { attempts, question, told } from './asking.ts';

/** A response to chain from; `previous` is the id of the exchange before it. */
function teach(
  kit: Kit,
  id: string,
  input: string,
  more: { readonly previous?: string; readonly instructions?: string } = {},
): string {
  const { previous, instructions } = more;
  return kit.send(id, 'responses', {
    json: {
      ...asking('responses', input),
      ...(instructions ? { instructions } : {}),
      ...(previous ? follow(previous) : {}),
    },
    ...(previous ? { when: [{ kind: 'answered', any: [previous] }] } : {}),
  });
}

const follow = (previous: string): { readonly [name: string]: Template } => ({
  previous_response_id: { $: 'reply', exchange: previous, pointer: '/id' },
});

/** Asks along a chain, as `ask` does. */
export function askAlongChain(kit: Kit): readonly Asked[] {
  const probes: Asked[] = [];
  for (const attempt of attempts) {
    const nonce = kit.data.nonce();
    const before = probes.at(-1);
    const again = before ? ({ billed: 0, when: [{ kind: 'not-recalled', ...before }] } as const) : {};
    const first = kit.send(`responses.chain.tell.${attempt}`, 'responses', {
      json: asking('responses', `${told(nonce)} Reply with the word OK.`),
      ...again,
    });
    const exchange = kit.send(`responses.chain.ask.${attempt}`, 'responses', {
      json: { ...asking('responses', question), ...follow(first) },
      ...again,
      when: [{ kind: 'answered', any: [first] }],
    });
    probes.push({ exchange, nonce });
  }
  return probes;
}

export function branchCase(kit: Kit): void {
  const requirement = 'responses.context.branch';
  kit.add(
    {
      id: 'context.responses.branch',
      title: 'responses keeps two branches of a chain apart',
      suite: 'context',
      requirements: [requirement],
    },
    'responses',
    () => {
      const own = kit.data.nonce();
      const foreign = kit.data.nonce();
      const root = teach(kit, 'responses.branch.root', `${told(own)} Reply with the word OK.`);
      const other = teach(
        kit,
        'responses.branch.other',
        `The code name is now ${foreign}. Reply with the word OK.`,
        { previous: root },
      );
      const probe = kit.send('responses.branch.ask', 'responses', {
        json: { ...asking('responses', question), ...follow(root) },
        when: [{ kind: 'answered', any: [other] }],
      });
      return { kind: 'branch', requirement, probe, own, foreign };
    },
  );
}

export function carriedInstructionsCase(kit: Kit): void {
  const requirement = 'responses.context.instructions-carried';
  kit.add(
    {
      id: 'context.responses.instructions-carried',
      title: 'whether instructions are carried along a chain',
      suite: 'context',
      requirements: [requirement],
    },
    'responses',
    () => {
      const nonce = kit.data.nonce();
      const first = teach(kit, 'responses.carried.tell', 'Reply with the word OK.', {
        instructions: told(nonce),
      });
      const probe = teach(kit, 'responses.carried.ask', question, { previous: first });
      const subject = 'instructions of an earlier response, asked for along the chain';
      return {
        kind: 'observe',
        requirement,
        section: '4.1',
        subject,
        see: 'recalled',
        nonce,
        protocol: 'responses',
        probes: [probe],
      };
    },
  );
}
