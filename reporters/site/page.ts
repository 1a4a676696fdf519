import { count, shorten } from '../../spec/text.ts';
import { badge } from '../document/blocks.ts';
import { scriptJson, visible } from '../escape.ts';
import { renderPage } from '../html/page.ts';
import { inline, printAll } from '../html/print.ts';
import { Html, html } from '../html/template.ts';
import { coverage } from '../report-queries.ts';
import { depthText, overallTone, overallWord, utcTime } from '../wording.ts';
import { type ResultList, resultBlocks } from '../results/results-blocks.ts';
import { siteData } from './data.ts';
import { historyBlock, latestBlock } from './history-part.ts';
import { newestFirst, pageOf, type Series, seriesOf, type SiteRun } from './runs.ts';
import { siteScript } from './script.ts';

const style = `
.num{white-space:nowrap;text-align:right;font-variant-numeric:tabular-nums}
#search{display:flex;flex-wrap:wrap;gap:.3rem .8rem;align-items:end;padding:.7rem .8rem;background:var(--panel);border:1px solid var(--rule);border-radius:3px}#search[hidden]{display:none}#search label{font-size:.82rem;display:grid;gap:.1rem;flex:1 1 16rem}#search input{font:inherit;color:var(--ink);background:var(--ground);border:1px solid var(--muted);border-radius:3px;padding:.3rem .5rem}#hits{font-size:.87rem;flex:1 1 12rem}
#results{list-style:none;padding:0}#results>li{border-bottom:1px solid var(--rule);padding:.4rem 0;font-size:.93rem}.found{padding-left:1.1rem;margin:.2rem 0 0;columns:20rem 2;font-size:.87rem}
#runs{min-width:54rem}.history{min-width:46rem}#runs th[scope=row]{font-weight:600}#runs code{display:block;font-weight:400;color:var(--muted)}#runs input{width:1.15rem;height:1.15rem;margin:.1rem 0 0;accent-color:var(--link)}[hidden]{display:none!important}
.history th[scope=row]{font-weight:400}.history td:last-child{width:50%}.history .fold>summary{color:var(--link)}.acts{position:sticky;bottom:0;margin:0;padding:.6rem 0;background:var(--ground)}html{scroll-padding-bottom:4rem}.when,.history th[scope=row]{white-space:nowrap}
.across{table-layout:fixed;min-width:40rem}.across th[scope=row]{font-weight:400}.across th:first-child{width:34%}.across .id,#results .id{color:var(--muted)}.across td.cell{background:var(--g)}.across td.cell a{color:var(--v);font-weight:600}
`;

function runRow(run: SiteRun): Html {
  const { report, folder } = run;
  const { target, suite, verdict, scope } = report;
  const { judged, failed, total } = coverage(report);
  const time = utcTime(report.run.startedAt);
  const name = shorten(target.name, 120);
  const text = [name, target.baseUrl, time, overallWord[verdict], report.run.id, suite.version].join(' ');
  return html`<tr data-text="${shorten(visible(text), 600).toLowerCase()}"><td class="scripted" hidden><input type="checkbox" value="${folder}" aria-label="Compare ${name}, ${time}"></td><th scope="row"><a href="${pageOf(run)}">${name}</a><code>${shorten(target.baseUrl, 200)}</code></th><td>${inline(badge(overallTone[verdict], overallWord[verdict]))}${report.run.partial && html` <span class="meta">stopped early</span>`}</td><td class="num">${judged - failed} of ${total}</td><td class="num">${failed}</td><td class="when">${time}</td><td>${depthText(scope)}</td><td>${suite.version}</td></tr>
`;
}

const heads = ['Gateway', 'Verdict', 'Passed', 'Failed', 'When', 'Asked', 'Suite'];

function runsPart(runs: readonly SiteRun[]): Html {
  const columns = heads.map((head) =>
    head === 'Passed' || head === 'Failed'
      ? html`<th scope="col" class="num">${head}</th>`
      : html`<th scope="col">${head}</th>`,
  );
  return html`<section class="part" id="all-runs"><h2>Runs</h2><div class="scroll" role="region" aria-label="Runs" tabindex="0"><table id="runs"><thead><tr><th scope="col" class="scripted" hidden>Compare</th>${columns}</tr></thead><tbody>${runs.map(runRow)}</tbody></table></div><p class="acts scripted" hidden><button type="button" id="compare">Compare the chosen runs</button></p></section>
`;
}

/** What stands before the runs: a list of results, by its sections. */
const resultContents = html`<li><a href="#differs">What differs</a></li><li><a href="#products">Products</a></li>`;

const contents = (series: readonly Series[], list: ResultList | undefined): Html =>
  html`<nav class="toc" aria-label="Contents"><ol>${list && resultContents}<li><a href="#changed">What changed last</a></li><li><a href="#all-runs">Runs</a></li><li><a href="#comparison">Comparison</a></li><li><a href="#history">History</a><ol>${series.map(({ runs: [latest] }, at) => latest !== undefined && html`<li><a href="#gateway-${at + 1}">${shorten(latest.report.target.name, 60)}</a></li>`)}</ol></li></ol></nav>`;

/**
 * The index of a site as one self-contained document; only the reports themselves are other files.
 * @param list of results that the runs are of; the index then begins with what differs between them
 */
export function renderSite(all: readonly SiteRun[], list?: ResultList): string {
  const runs = newestFirst(all);
  const series = seriesOf(runs);
  const title = `Conformance of ${count(series.length, 'gateway')}`;
  const newest = runs[0] === undefined ? '' : `, the latest of ${utcTime(runs[0].report.run.startedAt)}`;
  const body = html`<a class="skip" href="${list ? '#differs' : '#changed'}">${list ? 'Skip to what differs' : 'Skip to what changed last'}</a>
<div class="page"><header class="mast"><p class="over">Conformance reports <span aria-hidden="true">·</span> Model Inference Gateway Interface</p><h1>${title}</h1><p>${count(runs.length, 'run')}${newest}.</p>
<form id="search" class="scripted" role="search" hidden><label for="q">Search runs, requirements and observed behaviour <input type="search" id="q" name="q" autocomplete="off"></label><output id="hits" for="q" aria-live="polite"></output></form><ul id="results"></ul></header>
${contents(series, list)}
<main>${list && printAll(resultBlocks(list))}${printAll([latestBlock(series)])}${runsPart(runs)}
<section class="part" id="comparison" tabindex="-1"><h2>Comparison</h2><div id="compared"><p class="quiet">Search and comparison need scripts. Runs, history and reports do not.</p></div></section>
<section class="part" id="history"><h2>History</h2>${printAll(series.map(historyBlock))}</section></main>
<footer><p><a href="feed.xml" type="application/atom+xml">Feed of changes</a>. <a href="verify.html">Check a bundle in this browser</a>. Made by inference-gateway-conformance from reports as they were written; nothing is loaded from a network.</p></footer></div>
<script type="application/json" id="site-data">${new Html(scriptJson(siteData(runs)))}<\/script>`;
  return renderPage({ title, body, extraStyle: style, script: siteScript });
}
