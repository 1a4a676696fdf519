import { shorten } from '../../spec/text.ts';
import type { InteropClient } from '../../suites/types/interop.ts';
import {
  clientName,
  clientSays,
  clientTone,
  interopHeadline,
  resultName,
  resultSection,
  resultsText,
} from '../interop.ts';
import { badge } from './requirement.ts';
import { type Html, html } from './template.ts';

const longest = 400;

/** What official clients met, a row each, with failures in the client's own words. */
export function interopView(clients: readonly InteropClient[]): Html {
  const failures = ({ results }: InteropClient): Html =>
    html`<ul class="plain">${results.filter(({ ok }) => !ok).map((each) => html`<li>${resultName(each)} (section ${resultSection(each)}): ${shorten(each.error ?? '', longest)}</li>`)}</ul>`;
  const row = (one: InteropClient): Html => {
    const tone = clientTone(one);
    return html`<tr><th scope="row">${badge(tone, clientSays[tone])} ${clientName(one)}<br><code>${shorten(one.baseUrl, longest)}</code></th><td class="seen">${resultsText(one)}${tone === 'fail' && failures(one)}${one.notRun !== undefined && html`<p>${shorten(one.notRun, longest)}</p>`}${one.notes.map((note) => html`<p class="meta">${shorten(note, longest)}</p>`)}</td></tr>
`;
  };
  return html`<p>${interopHeadline} Their requests are not among the recorded exchanges, and not in the counts of the run.</p><div class="scroll" role="region" aria-label="Official clients" tabindex="0"><table class="rows"><thead><tr><th scope="col">Client and base URL</th><th scope="col">What came of it</th></tr></thead><tbody>${clients.map(row)}</tbody></table></div>`;
}
