import { count, shorten } from '../../spec/text.ts';
import type { Report } from '../../suites/types/report.ts';
import type { BaselineOutcome } from '../baseline/apply.ts';
import { type ExpectedFailures, noExpectedFailures } from '../baseline/expected-failures.ts';
import { baselineHeadline } from '../baseline/view.ts';
import {
  byReason,
  countLevels,
  decidingRequirements,
  headline,
  nonGatingRequirements,
  openContradictions,
  untestedText,
  withVerdict,
} from '../report-queries.ts';
import { isWholeRun, scopeLimits } from '../scope-limits.ts';
import { seedText } from '../repeats.ts';
import { sectionList } from '../sections.ts';
import {
  costText,
  depthText,
  duration,
  familyWord,
  levelMeaning,
  nonGatingReason,
  overallTone,
  overallText,
  utcTime,
  verdicts,
  verdictSign,
} from '../wording.ts';
import { isUnderCause } from '../causes.ts';
import { linkTo } from './context.ts';
import { minimap } from './minimap.ts';
import { badge } from './requirement.ts';
import { followsText } from './tables.ts';
import { type Fill, type Html, html, prose } from './template.ts';

const fact = (name: string, value: Fill): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

function scopeText(report: Report): string {
  const { families, groups } = report.scope;
  const names = families.map((family) => familyWord[family]).join(', ');
  const covered = isWholeRun(report) ? 'Asked: the whole interface' : 'Asked: a part of the interface';
  return `${covered}, ${depthText(report.scope)}. Model families: ${names || 'none'}. Token groups: ${groups.join(', ') || 'none'}.`;
}

function conflictFact(report: Report): Fill {
  return openContradictions(report).map(({ sections, readings, follows }, at) => {
    const followed = readings.find(({ label }) => label === follows);
    return html`${at > 0 && html`<br>`}Sections ${sections.join(', ')}: ${followsText[follows]}${followed !== undefined && html`: ${prose(followed.statement)}`}`;
  });
}

function untestedFact(report: Report): Fill {
  const amount = withVerdict(report, 'untested').length;
  const missing = scopeLimits(report);
  if (amount + missing.length === 0)
    return html`Nothing; <a href="#part-untested">${count(report.excluded.length, 'statement')}</a> cannot be judged over HTTP.`;
  return html`${[`${untestedText(report)}.`, ...missing].join(' ')} <a class="more" href="#part-untested">Why</a>`;
}

/** What a reader must know before believing the verdict, in a line each. */
function keyFacts(report: Report, trend: Html | null, outcome: BaselineOutcome | undefined): Html {
  return html`<dl class="facts broad">
${fact('Requirements digest', html`<code class="digest">${report.suite.requirementsDigest}</code>`)}
${fact('OpenAPI digest', html`<code class="digest">${report.suite.openapiDigest}</code>`)}
${fact('Untested', untestedFact(report))}
${openContradictions(report).length > 0 && fact('Contradictions of the interface', html`${conflictFact(report)} <a class="more" href="#part-conflicts">Both readings</a>`)}
${outcome !== undefined && fact('Baseline', html`${baselineHeadline(outcome)} <a class="more" href="#part-baseline">Entries</a>`)}
${trend !== null && fact('Latest runs', trend)}
</dl>`;
}

function facts({ suite, run, target }: Report): Html {
  const cost = costText(run);
  const took = Date.parse(run.finishedAt) - Date.parse(run.startedAt);
  return html`<dl class="facts">
${fact('Base address', html`<code>${target.baseUrl}</code>`)}
${fact('Run', html`${utcTime(run.startedAt)}${Number.isFinite(took) && `, ${duration(took)}`} <code>${run.id}</code>`)}
${fact('Sent', `${count(run.requests, 'request')}, ${count(run.billedGenerations, 'billed generation')}, ${seedText(run)}`)}
${cost !== undefined && fact('Billed', cost)}
${fact('Suite', `${suite.name} ${suite.version}`)}
</dl>`;
}

/**
 * The head of the document: verdict, what it covers, what stands behind it, target, when, with what it was judged, and
 * the trend.
 */
export function reportHeader(
  report: Report,
  trend: Html | null = null,
  outcome?: BaselineOutcome,
  causes: Html | null = null,
  certificate: Html | null = null,
): Html {
  const tone = overallTone[report.verdict];
  const { name } = report.target;
  return html`<header class="mast"><p class="over">Conformance report <span aria-hidden="true">·</span> Model Inference Gateway Interface</p>
<h1>${shorten(name, 120)}</h1>
<div class="verdict ${tone}"><p class="sign" aria-hidden="true">${verdictSign[tone]}</p><div><p class="word">${overallText(report)}</p><p class="lead">${headline(report)}</p>
${causes === null && html`<ul>${report.reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`}<p class="covers">${scopeText(report)}</p></div>${minimap(report)}</div>
${certificate}${causes}${facts(report)}${keyFacts(report, trend, outcome)}</header>
`;
}

/** Counts of requirements by level and verdict. */
export function countTable(report: Report): Html {
  const rows = countLevels(report);
  const number = (verdict: (typeof verdicts)[number], amount: number) =>
    html`<td class="num${amount > 0 && ` ${verdict}`}">${amount === 0 ? html`<span class="none">0</span>` : amount}</td>`;
  return html`<div class="scroll" role="region" aria-label="Requirements by level and verdict" tabindex="0"><table class="counts"><thead><tr><th scope="col">Level</th>${verdicts.map((verdict) => html`<th scope="col" class="num">${badge(verdict)}</th>`)}<th scope="col" class="num">All</th></tr></thead>
<tbody>${rows.map(
    ({ level, counts, total }) =>
      html`<tr><th scope="row">${level}<span>${levelMeaning[level]}</span></th>${verdicts.map((verdict) => number(verdict, counts[verdict]))}<td class="num">${total}</td></tr>`,
  )}</tbody><tfoot><tr><th scope="row">All</th>${verdicts.map((verdict) => number(verdict, report.summary[verdict]))}<td class="num">${report.requirements.length}</td></tr></tfoot></table></div>`;
}

/** What failed, and what kept the run from a verdict, each a link to its evidence. */
export function decidingList(
  report: Report,
  { requirements: known }: ExpectedFailures = noExpectedFailures,
): Html {
  const rows = decidingRequirements(report);
  if (rows.length === 0) {
    return html`<p class="quiet">Nothing failed, and no inconclusive requirement gates.</p>`;
  }
  const lines = rows.map(
    ({ id, verdict, sections, impact, statement, reason }) =>
      html`<li>${badge(verdict)}<div><a href="${linkTo(id)}">${prose(statement)}</a> <span class="meta">${impact !== undefined && `${impact} · `}${sectionList(sections)} · <code>${id}</code></span>${known.has(id) && html`<p>Expected failure: ${known.get(id)}</p>`}${reason !== undefined && html`<p>${reason}</p>`}</div></li>`,
  );
  return html`<ul class="decisive">${lines}</ul>`;
}

const reasonList = (rows: ReturnType<typeof byReason>): Html[] =>
  rows.map(
    ({ reason, requirements }) =>
      html`<li>${reason} <details class="which"><summary>${count(requirements.length, 'requirement')}</summary>${requirements.map(({ id }, at) => html`${at > 0 && ', '}<a href="${linkTo(id)}"><code>${id}</code></a>`)}</details></li>`,
  );

/** What was not tested, what could not be decided without gating, and why. */
export function untestedView(report: Report): Html {
  const isUnder = isUnderCause(report);
  const nonGating = nonGatingRequirements(report).filter((row) => !isUnder(row));
  const rows = withVerdict(report, 'untested').filter((row) => !isUnder(row));
  const limits = scopeLimits(report);
  return html`${
    limits.length + rows.length === 0
      ? html`<p class="quiet">${report.requirements.some(isUnder) ? 'What could not be judged is listed under its cause.' : 'Everything that can be judged over HTTP was tested.'}</p>`
      : html`<ul class="plain">${limits.map((line) => html`<li>${line}</li>`)}${reasonList(byReason(rows))}</ul>`
  }${
    nonGating.length > 0 &&
    html`<h3>Inconclusive, not gating</h3><ul class="plain">${nonGating.map(
      ({ id, statement, nonGating: kind }) =>
        html`<li><a href="${linkTo(id)}">${prose(statement)}</a> Reason: ${nonGatingReason(kind)}.</li>`,
    )}</ul>`
  }<p class="quiet">${count(report.excluded.length, 'statement')} of the interface cannot be judged over HTTP: <a href="#part-excluded">listed with the reasons</a>.</p>`;
}
