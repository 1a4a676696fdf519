import { shorten } from '../../spec/text.ts';
import { renderPage } from '../html/page.ts';
import { type Html, html, prose } from '../html/template.ts';
import { overallWord, utcTime, verdictSign } from '../wording.ts';
import type { ReportDiff, Side } from './report-diff.ts';
import { type DiffSection, type DiffView, presentDiff, type Row } from './view.ts';

const longest = 600;

const extraStyle = `
.changes{table-layout:fixed;min-width:36rem;overflow-wrap:anywhere}.changes th:first-child{width:48%}.changes th:nth-child(2){width:5.4rem}.changes code{color:var(--muted)}.changes p{margin:.2rem 0 0}.changes .tone{color:var(--v);font-weight:600}
@media (max-width:40rem){.changes{min-width:28rem}.changes th:nth-child(2),.changes td:nth-child(2){display:none}}
`;

function side(name: string, { target, suite, run, verdict }: Side): Html {
  return html`<div><dt>${name}</dt><dd><b>${shorten(target.name, longest)}</b>, ${overallWord[verdict].toLowerCase()}<code>${shorten(target.baseUrl, longest)}</code>${utcTime(run.startedAt)}, run <code>${run.id}</code>${run.partial && ' (stopped early)'} ${suite.name} ${suite.version}<code class="digest">requirements ${suite.requirementsDigest}</code><code class="digest">OpenAPI ${suite.openapiDigest}</code></dd></div>`;
}

const row = ({ id, section, what, before, after, note, tone }: Row): Html =>
  html`<tr><td>${prose(shorten(what, longest))} <code>${id}</code>${note !== undefined && html`<p class="meta">${shorten(note, longest)}</p>`}</td><td>${section}</td><td>${shorten(before, longest)}</td><td>${tone === undefined ? shorten(after, longest) : html`<span class="${tone}"><span class="tone">${shorten(after, longest)}</span></span>`}</td></tr>
`;

function sectionView({ slug, title, rows }: DiffSection): Html {
  return html`<section class="part" id="${slug}"><h2>${title} <small class="meta">${rows.length}</small></h2><div class="scroll" role="region" aria-label="${title}" tabindex="0"><table class="changes"><thead><tr><th scope="col">What</th><th scope="col">Section</th><th scope="col">Before</th><th scope="col">After</th></tr></thead><tbody>${rows.map(row)}</tbody></table></div></section>
`;
}

function contents({ sections }: DiffView): Html {
  const links = sections.map(
    ({ slug, title, rows }) => html`<li><a href="#${slug}">${title} (${rows.length})</a></li>`,
  );
  return html`<nav class="toc" aria-label="Contents"><ol>${links.length === 0 ? html`<li><a href="#changes">No change</a></li>` : links}</ol></nav>`;
}

/** The diff as one self-contained HTML document, in the look of the report. */
export function renderDiffHtml(diff: ReportDiff): string {
  const view = presentDiff(diff);
  const { tone, headline, notes, sections, before, after } = view;
  const body = html`<a class="skip" href="#changes">Skip to what changed</a>
<div class="page"><header class="mast"><p class="over">Conformance reports compared <span aria-hidden="true">·</span> Model Inference Gateway Interface</p>
<h1>What changed</h1><div class="verdict ${tone}"><p class="sign" aria-hidden="true">${verdictSign[tone]}</p><div><p class="word">${headline}</p>${notes.length > 0 && html`<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>`}</div></div>
<dl class="facts">${side('Before', before)}${side('After', after)}</dl></header>
${contents(view)}<main id="changes">${sections.map(sectionView)}${sections.length === 0 && html`<p>No verdict, no observation, no reading, no cell and no latency class differs.</p>`}</main></div>
`;
  return renderPage({ title: `${headline} ${shorten(after.target.name, longest)}`, body, extraStyle });
}
