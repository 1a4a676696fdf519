import { isTextProtocol, type Protocol } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { inSituationId, streamedId } from '../../types/request-ids.ts';
import {
  type CredentialSituation,
  type CredentialSituations,
  isStreamed,
  shownIn,
  type UndeclaredSituation,
} from './credential-situations.ts';
import { addRefused, type Showing } from '../probes/refused-probe.ts';
import { explanation, isShown, type ShownForm } from './form-cases.ts';

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
    const rows = isShown(form, 'every row') ? [...needed, ...others] : needed;
    for (const situation of rows.filter((each) => each !== stream))
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

/** The same with a stream asked for. What is refused because it is streamed says nothing of the credential. */
function streamedCase(builder: CaseBuilder, further: FurtherForm): void {
  const { situation } = further;
  const { protocol } = further.form;
  const isDeclared = builder.callers(protocol).length > 0;
  if (situation === undefined && (isDeclared || !isTextProtocol(protocol))) return;
  furtherCase(builder, further, { words: ' where a stream is asked for', idOf: streamedId });
}

const inSituationCase = (
  builder: CaseBuilder,
  further: FurtherForm,
  { name, description, needs }: UndeclaredSituation,
): void =>
  furtherCase(builder, further, { words: ` ${description}`, idOf: (id) => inSituationId(id, name), needs });

function furtherCase(
  builder: CaseBuilder,
  { form, situation }: FurtherForm,
  names: Pick<Showing, 'words' | 'idOf' | 'needs'>,
): void {
  addRefused(builder, form, {
    ...names,
    request: { callers: [], json: null, ...shownIn(situation), when: [] },
    controls: () => (situation ? [situation.control] : []),
    more: () => ({ controlMayBeRefused: true, ...explanation(form, streamedId) }),
  });
}
