import { count, shorten } from '../../spec/text.ts';
import type { BaselineOutcome } from '../baseline/apply.ts';
import { baselineHeadline, entryGroups } from '../baseline/view.ts';
import { badge } from './requirement.ts';
import { type Html, html } from './template.ts';

const [longest, most] = [400, 100];

/** What the baseline makes of the run: what is new, expired, stale or unmatched, and what was expected. */
export function baselineView(outcome: BaselineOutcome): Html {
  const groups = entryGroups(outcome).map(
    ({ tone, title, lines }) =>
      html`<h3><span class="${tone}"><span class="v">${title}</span></span> <small class="meta">${lines.length}</small></h3><ul class="plain">${lines.slice(0, most).map((line) => html`<li>${shorten(line, longest)}</li>`)}${lines.length > most && html`<li>and ${count(lines.length - most, 'more', 'more')}</li>`}</ul>`,
  );
  return html`<p>${badge(outcome.ok ? 'pass' : 'fail', outcome.ok ? 'Holds' : 'Does not hold')} ${shorten(baselineHeadline(outcome), longest)} A baseline changes the exit code of a run and never a verdict.</p>${groups}`;
}
