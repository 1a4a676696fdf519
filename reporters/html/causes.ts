import { count } from '../../spec/text.ts';
import { type CauseRows, causesHeadline, causesOf, explained, findingOfCause } from '../causes.ts';
import { type ExpectedFailures, noExpectedFailures } from '../baseline/expected-failures.ts';
import { rateText, seenText } from '../repeats.ts';
import { type Context, requirementLink } from './context.ts';
import { firstLinks } from './exchange.ts';
import { badge, clip, command } from './requirement.ts';
import { type Html, html, prose } from './template.ts';

const mostExchanges = 3;

/** The requirements that a cause explains, folded. */
function requirementList(context: Context, { rows }: CauseRows, known: ExpectedFailures): Html {
  const lines = rows.map((row) => {
    const { id, verdict, statement } = row;
    const rate = rateText(row);
    return html`<li>${badge(verdict)} ${requirementLink(context, id, prose(statement))} <code>${id}</code>${rate !== undefined && html` ${rate}`}${known.requirements.has(id) && html` Expected failure: ${known.requirements.get(id)}`}</li>`;
  });
  return html`<details class="explains"><summary>${count(rows.length, 'requirement')}</summary><ul class="cases">${lines}</ul></details>`;
}

function causeView(context: Context, one: CauseRows, known: ExpectedFailures): Html {
  const { cause, gates, tone } = one;
  const finding = findingOfCause(context.report, one);
  return html`<li class="cause ${tone}"><p class="what">${badge(tone)} <b>${prose(clip(cause.summary))}</b> <span class="meta">${[...explained(one), ...seenText(cause)].join(', ')}</span></p>
${cause.evidence.length > 0 && html`<p class="see">Shown by ${firstLinks(context, cause.evidence, mostExchanges)}${finding !== undefined && html`: ${clip(finding.actual)}`}</p>`}${gates && command(cause.reproduce)}${requirementList(context, one, known)}</li>
`;
}

/** What stands behind the verdict, each cause with an exchange and a command; null where a report names no cause. */
export function causeList(context: Context, known: ExpectedFailures = noExpectedFailures): Html | null {
  const causes = causesOf(context.report);
  return causes.length === 0
    ? null
    : html`<section class="part" id="part-decisive"><h2>${causesHeadline(context.report)}</h2><ol class="causes">${causes.map((one) => causeView(context, one, known))}</ol></section>
`;
}
