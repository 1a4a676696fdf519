import { describe, expect, it } from 'vitest';
import { readExtension } from '../../../fixtures/extension/extension.ts';
import { fullTarget } from '../../../fixtures/target/full-target.ts';
import { type Extension, statesNothing } from '../../../spec/extension.ts';
import { packageFile } from '../../../spec/package-root.ts';
import type { Json } from '../../../spec/vocabulary.ts';
import type { Plan } from '../../types/plan.ts';
import { planRun, everything } from '../plan.ts';

const asked = { seed: 1, selection: everything, profile: 'standard', skipCostly: false } as const;
const planOf = (extension?: Extension): Plan =>
  planRun(fullTarget, { ...asked, ...(extension ? { extension } : {}) });
const requirementsIn = ({ cases }: Plan): readonly string[] =>
  [...new Set(cases.flatMap(({ requirements }) => requirements))].sort();

/** An extension that adds a parameter to a request. */
const adding = (schema: string, name: string, parameter: Json): Extension => ({
  ...statesNothing,
  files: [{ name: 'own.yaml', digest: 'sha256:0' }],
  additions: [{ schema, value: { properties: { [name]: parameter } }, place: { file: 'own.yaml', line: 7 } }],
});
const names = (count: number): readonly string[] => Array.from({ length: count }, (_, each) => `v${each}`);
const values = (count: number): Json => ({ type: 'string', enum: names(count) });

describe('the plan of an extension', () => {
  it('has what it states, and nothing of the interface', () => {
    const own = readExtension([packageFile('examples/own/top-k.yaml')]);
    expect(requirementsIn(planOf(own))).toEqual([
      'messages.param.top-k.accepted',
      'messages.param.top-k.optional',
      'messages.param.top-k.range',
      'messages.param.top-k.type',
      'messages.result.usage',
      'messages.result.usage.input-tokens',
      'messages.result.usage.output-tokens',
      'own.errors.invalid-token',
      'own.errors.wrong-requests',
      'own.messages.events',
      'own.metadata.accepted',
      'own.metadata.object',
    ]);
  });

  it('has what is stated of a group, and of another path all that its shape has', () => {
    const own = readExtension([packageFile('examples/own/groups-and-paths.yaml')]) as Extension;
    const [at] = own.paths;
    const declared = {
      ...fullTarget,
      tokens: { ...fullTarget.tokens, batch: { value: '', variable: 'BATCH' } },
    };
    const ofGroup = planRun(declared, { ...asked, extension: own });
    expect(requirementsIn(ofGroup).filter((id) => !id.endsWith('.batch'))).toEqual([]);
    expect(requirementsIn(ofGroup)).toContain('family.general.chat.batch');
    const ofPath = planRun(declared, { ...asked, extension: { ...own, ...(at ? { at } : {}) } });
    expect(requirementsIn(ofPath)).toContain('chat.result.usage.total-tokens');
    expect(requirementsIn(ofPath).filter((id) => /^(responses|messages|images)\./.test(id))).toEqual([]);
    const paths = new Set(
      ofPath.requests.flatMap(({ path, protocol }) => (protocol === 'chat' ? [path] : [])),
    );
    expect([...paths]).toEqual(['/v2/chat/completions']);
  });

  it('leaves that of the interface as it is', () => {
    const before = planOf();
    planOf(adding('ChatRequest', 'style', values(3)));
    expect(planOf()).toEqual(before);
    expect(before).not.toHaveProperty('extension');
  });

  it.each([
    ['images', 'ImageRequest'],
    ['chat', 'ChatRequest'],
  ])('asks each allowed value of a parameter of %s', (protocol, schema) => {
    const { requests, cases } = planOf(adding(schema, 'style', values(3)));
    const given = requests.filter((request) => request.protocol === protocol && request.expect === 'answer');
    for (const value of ['v0', 'v1', 'v2'])
      expect(given.some(({ body }) => JSON.stringify(body).includes(`"${value}"`))).toBe(true);
    expect(cases.some(({ requirements }) => requirements.includes(`${protocol}.param.style.allowed`))).toBe(
      true,
    );
  });

  it('may have long covering arrays', () => {
    const { requests } = planOf(adding('ResponsesRequest', 'style', values(30)));
    const given = requests.map(({ body }) => JSON.stringify(body));
    expect(names(30).filter((value) => !given.some((body) => body.includes(`"${value}"`)))).toEqual([]);
  });

  it.each(['ImageRequest', 'ChatRequest', 'ResponsesRequest'])(
    'is refused where it has ten times the length of that of the interface: %s',
    (schema) => {
      expect(() => planOf(adding(schema, 'style', values(10_000)))).toThrow(
        /^own\.yaml:7: asks for most of \d+ (requests|generations) or more, beside the \d+ of the interface: an extension that makes the plan grow beyond ten times is refused; /,
      );
    },
  );
});
