import type { CheckOf } from '../../types/checks/check.ts';
import type { ModelName } from '../../types/case.ts';
import type { CaseBuilder, Needs } from '../builder/case-builder.ts';
import type { RequestOverrides } from '../builder/request-builder.ts';
import type { Asked } from './asked.ts';

/** What of a request differs from the plain one besides its content. */
export function overridesOf({ change = {}, billed }: Asked): RequestOverrides {
  const { set: _, without: __, body: ___, ...others } = change;
  return { ...(others as RequestOverrides), ...(billed === undefined ? {} : { billed: Number(billed) }) };
}

/** Where a probe that must be refused is shown. */
export interface Showing {
  /** The request but for what the probe changes in its headers. */
  readonly request: RequestOverrides;
  readonly controls: () => readonly string[];
  /** Of the case and of the request, made from those of the probe; those themselves where left out. */
  readonly idOf?: (id: string) => string;
  /** Behind what is refused. */
  readonly words?: string;
  readonly needs?: Needs;
  /** One behind the first of its family. */
  readonly model?: ModelName;
  readonly more?: () => Partial<CheckOf<'refused'>>;
}

/** Adds the case of a probe that must be refused, with the control behind it, and plans its request. */
export function addRefused(
  builder: CaseBuilder,
  asked: Asked,
  { request, controls, idOf = (own) => own, words = '', needs = asked.protocol, model, more }: Showing,
): void {
  const { id, caseId, protocol, requirement, what = '', rule = what } = asked;
  const who = model ? `${protocol} with model ${model.name}` : protocol;
  builder.add({
    id: idOf(caseId),
    title: `${who} refuses ${what}${words}`,
    requirement,
    ...(model ? { model } : {}),
    needs,
    check: () => ({
      kind: 'refused',
      probe: builder.send(idOf(id), protocol, { ...overridesOf(asked), ...request, expect: 'refusal' }),
      controls: controls(),
      ...(model ? {} : { after: builder.after(protocol) }),
      rule,
      ...more?.(),
    }),
  });
}
