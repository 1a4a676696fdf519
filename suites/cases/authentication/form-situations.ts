import { groupBy } from '../../../spec/group-by.ts';
import { protocols } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { createChooser, type Situation, situationsOfCallers } from '../combinations/situations.ts';
import type { Asked } from '../probes/asked.ts';

/** A form of a credential, and where it is shown. */
export interface ShownForm extends Asked {
  /** Where it is shown in a situation alone, the first of these is in place of the plain request. */
  readonly shownIn: readonly Situation[];
}

/**
 * What a form shows: of itself on its endpoint above all, of its requirement there, and of itself on any. One that the plain
 * request shows, too, goes first where nothing shows its requirement yet.
 */
const shownBy = ({ id, requirement, given: { as, also } }: Asked) =>
  [
    [id, 3],
    [requirement, also === undefined ? 2 : 100],
    [String(as), 1],
  ] as const;

/** Of endpoints that are asked in turn, those of the next form that is asked so many times. */
function takeTurns(): (forms: readonly Asked[]) => readonly Asked[] {
  let turn = 0;
  return (forms) => {
    const times = Math.min(forms.length, forms[0]?.given.times ?? 0);
    const from = times === forms.length ? 0 : turn % forms.length;
    turn += times === forms.length ? 0 : times;
    return [...forms.slice(from), ...forms.slice(0, from)].slice(0, times);
  };
}

/**
 * The forms of all endpoints, each in as many situations as it is asked for: on each endpoint once, or where the number is
 * not enough for that, on some in turn; and then where it shows most. A form that is shown on an endpoint neither so nor in
 * the plain request is left out there. In `smoke`, and where no model is declared, there are no situations.
 */
export function formsInSituations(builder: CaseBuilder): readonly ShownForm[] {
  const choose = createChooser();
  const next = takeTurns();
  const known = new Map(protocols.map((protocol) => [protocol, situationsOfCallers(builder, protocol)]));
  const forms = protocols.flatMap((protocol) => builder.asked('authentication', protocol).flat());
  const shown = new Map<Asked, readonly Situation[]>();
  const show = (open: readonly Asked[]): void => {
    const candidates = open.flatMap((form) => {
      const before = shown.get(form) ?? [];
      const left = (known.get(form.protocol) ?? []).filter((situation) => !before.includes(situation));
      return left.map((situation) => ({ form, situation, shown: shownBy(form) }));
    });
    const found = choose(candidates);
    if (found) shown.set(found.form, [...(shown.get(found.form) ?? []), found.situation]);
  };
  for (const alike of groupBy(forms, (form) => String(form.given.as)).values()) {
    const first = next(alike);
    for (const form of first) {
      shown.set(form, []);
      show([form]);
    }
    const times = alike[0]?.given.times ?? 0;
    // One endpoint alone, where the others are not declared, is asked no more often for that.
    const most = Math.ceil(times / alike.length);
    for (let left = times - first.length; left > 0; left -= 1)
      show(first.filter((form) => (shown.get(form)?.length ?? 0) < most));
  }
  return forms
    .filter((form) => form.expect === 'observed' || form.given.also !== undefined || shown.has(form))
    .map((form) => ({ ...form, shownIn: shown.get(form) ?? [] }));
}
