import { isTextProtocol, type Protocol } from '../../../spec/vocabulary.ts';
import type { CaseBuilder, Needs, NewCase } from '../builder/case-builder.ts';
import { inSituationId, streamedId } from '../builder/request-ids.ts';
import {
  type CredentialSituation,
  type CredentialSituations,
  isStreamed,
  type UndeclaredSituation,
} from './credential-situations.ts';
import { explanation, headersOf, isShown, type ShownForm } from './form-cases.ts';

/** What is shown in the plain request and in others: as a stream, or wherever it may be looked at otherwise. */
export function furtherCases(
  builder: CaseBuilder,
  protocol: Protocol,
  { forms, situations }: { readonly forms: readonly ShownForm[]; readonly situations: CredentialSituations },
): void {
  const { needed, others, undeclared } = situations;
  const streams = [...needed, ...others].filter(isStreamed);
  for (const form of forms.filter((each) => isShown(each, 'everywhere'))) {
    const [stream] = streams;
    streamedCase(builder, { form, situation: stream });
    for (const situation of needed.filter((each) => each !== stream))
      inSituationCase(builder, { form, situation }, { ...situation, needs: protocol });
    for (const lacking of undeclared) inSituationCase(builder, { form, situation: undefined }, lacking);
  }
  for (const [at, form] of forms.filter((each) => isShown(each, 'streamed')).entries())
    streamedCase(builder, { form, situation: streams[at % streams.length] });
}

interface FurtherForm {
  readonly form: ShownForm;
  /** What shows it; undefined where that is not declared. */
  readonly situation: CredentialSituation | undefined;
}

/** How a further request with a form is called. */
interface FurtherNames {
  /** In the title, behind what is refused. */
  readonly words: string;
  readonly idOf: (id: string) => string;
  readonly needs: Needs;
}

/** The same with a stream asked for. What is refused because it is streamed says nothing of the credential. */
function streamedCase(builder: CaseBuilder, further: FurtherForm): void {
  const { situation } = further;
  const { protocol } = further.form;
  const isDeclared = builder.callers(protocol).length > 0;
  if (situation === undefined && (isDeclared || !isTextProtocol(protocol))) return;
  furtherCase(builder, further, { words: 'where a stream is asked for', idOf: streamedId, needs: protocol });
}

/** The same in another situation. */
const inSituationCase = (
  builder: CaseBuilder,
  further: FurtherForm,
  { name, description, needs }: UndeclaredSituation,
): void =>
  furtherCase(builder, further, { words: description, idOf: (id) => inSituationId(id, name), needs });

function furtherCase(
  builder: CaseBuilder,
  { form, situation }: FurtherForm,
  { words, idOf, needs }: FurtherNames,
): void {
  const { id, caseId, protocol, requirement, what = '' } = form;
  builder.add(
    {
      id: idOf(caseId) as NewCase['id'],
      title: `${protocol} refuses ${what} ${words}`,
      requirements: [requirement],
    },
    needs,
    () => ({
      kind: 'refused',
      requirement,
      probe: builder.send(idOf(id), protocol, {
        callers: situation?.callers ?? [],
        json: situation?.body ?? null,
        ...headersOf(form),
        expect: 'refusal',
        when: [],
      }),
      controls: situation ? [situation.control] : [],
      after: builder.after(protocol),
      rule: what,
      controlMayBeRefused: true,
      ...explanation(form, streamedId),
    }),
  );
}
