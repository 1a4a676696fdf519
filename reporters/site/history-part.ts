import { count, shorten } from '../../spec/text.ts';
import { historyEntry } from '../history.ts';
import { linkTo } from '../html/context.ts';
import { badge } from '../html/requirement.ts';
import { type Html, html, prose } from '../html/template.ts';
import { trendView } from '../html/trend.ts';
import { coverage } from '../report-queries.ts';
import { overallTone, overallWord, utcTime, verdictText } from '../wording.ts';
import { type Changes, changesOf, pageOf, type Series, type SiteRun } from './runs.ts';

/** Changes of one kind that are listed for a run; characters of a text. */
const [mostChanges, longest] = [20, 200];

const kindWords = { regression: 'regression', improvement: 'improvement', other: 'other verdict' } as const;

/** `2 regressions, 1 behaviour`: what changed, by number. */
function changeCounts({ verdicts, behaviours }: Changes): string {
  const kinds = (['regression', 'improvement', 'other'] as const).flatMap((kind) => {
    const amount = verdicts.filter((change) => change.kind === kind).length;
    return amount === 0 ? [] : [count(amount, kindWords[kind])];
  });
  const seen = behaviours.length === 0 ? [] : [`${count(behaviours.length, 'behaviour')}`];
  return [...kinds, ...seen].join(', ');
}

/** What changed since the run before, each a link into the report. */
function changeView(run: SiteRun, changes: Changes): Html {
  const { verdicts, behaviours, isComparable } = changes;
  const note = isComparable ? '' : 'Another suite judged it, or other things were asked.';
  if (verdicts.length + behaviours.length === 0) return html`Nothing changed. ${note}`;
  const page = pageOf(run);
  const lines = [
    ...verdicts.map(
      ({ id, statement, before, after }) =>
        html`<li><a href="${page}${linkTo(id)}">${prose(shorten(statement, longest))}</a> ${verdictText(before)} → <span class="v ${after}">${verdictText(after)}</span></li>`,
    ),
    ...behaviours.map(
      ({ anchor, subject, before, after }) =>
        html`<li><a href="${page}${linkTo(anchor)}">${shorten(subject, longest)}</a> ${shorten(before, longest)} → ${shorten(after, longest)}</li>`,
    ),
  ];
  const rest = lines.length - mostChanges;
  return html`<details class="fold"><summary>${changeCounts(changes)}</summary><ul class="plain">${lines.slice(0, mostChanges)}${rest > 0 && html`<li>and ${rest} more, in the <a href="${page}">report</a></li>`}</ul></details>${note}`;
}

function runRow(run: SiteRun, before: SiteRun | undefined): Html {
  const { target, verdict } = run.report;
  const tone = overallTone[verdict];
  const changed =
    before === undefined ? html`First run here.` : changeView(run, changesOf(before.report, run.report));
  return html`<tr><th scope="row"><a href="${pageOf(run)}">${utcTime(run.report.run.startedAt)}</a></th><td>${shorten(target.name, longest)}</td><td>${badge(tone, overallWord[verdict])}</td><td class="num">${coverage(run.report).failed}</td><td>${changed}</td></tr>
`;
}

/** The runs of one gateway over time, newest first, with what changed from each to the next. */
export function historyView({ runs }: Series, at: number): Html {
  const [latest] = runs;
  if (latest === undefined) return html``;
  const { name, baseUrl } = latest.report.target;
  const label = `History of ${shorten(name, 80)}, ${at + 1}`;
  const trend = trendView([...runs].reverse().map(({ report }) => historyEntry(report)));
  return html`<section class="series" id="gateway-${at + 1}"><h3>${shorten(name, 120)} <small class="meta">${shorten(baseUrl, longest)}, ${count(runs.length, 'run')}</small></h3>${trend}
<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table class="history"><thead><tr><th scope="col">When</th><th scope="col">Name</th><th scope="col">Verdict</th><th scope="col" class="num">Failed</th><th scope="col">Since the run before</th></tr></thead><tbody>${runs.map((run, place) => runRow(run, runs[place + 1]))}</tbody></table></div></section>
`;
}
