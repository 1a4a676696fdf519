import { shorten } from '../../spec/text.ts';
import type { ReportPins } from '../../suites/types/report.ts';
import { pinName, pinnedIn, pinPlace, pinsHeadline, unobservedText } from '../pins/view.ts';
import type { Context } from './context.ts';
import { firstLinks } from './exchange.ts';
import { badge } from './requirement.ts';
import { type Html, html } from './template.ts';

const longest = 400;

/** What a file of pins says of the run: what changed, with both values and exchanges, and what was not seen. */
export function pinsView(context: Context, pins: ReportPins): Html {
  const { changed, unobserved } = pins;
  const row = (
    pin: (typeof changed)[number],
  ): Html => html`<tr><th scope="row">${shorten(pinName(pin), longest)}<br><code>${pinPlace(pins, pin)}</code></th><td class="seen">${shorten(pin.pinned, longest)}${pinnedIn(pin) !== '' && html`<br><span class="meta">${pinnedIn(pin)}</span>`}</td><td class="seen">${shorten(pin.observed, longest)}<br><span class="see">${firstLinks(context, pin.exchanges, 3)}</span></td></tr>
`;
  const table = html`<div class="scroll" role="region" aria-label="Pinned behaviour that changed" tabindex="0"><table class="rows"><thead><tr><th scope="col">What</th><th scope="col">Pinned</th><th scope="col">Now</th></tr></thead><tbody>${changed.map(row)}</tbody></table></div>`;
  const open = html`<h3>Could not be observed</h3><ul class="plain">${unobserved.map((pin) => html`<li>${shorten(pinName(pin), longest)}: ${shorten(unobservedText(pin), longest)}</li>`)}</ul>`;
  return html`<p>${badge(changed.length > 0 ? 'fail' : 'pass', changed.length > 0 ? 'Changed' : 'Unchanged')} ${shorten(pinsHeadline(pins), longest)} Pins change the exit code of a run and never a verdict.</p>${changed.length > 0 && table}${unobserved.length > 0 && open}`;
}
