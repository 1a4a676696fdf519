import { suiteInfo } from '../../spec/requirements.ts';
import { plain } from '../document/blocks.ts';
import { xmlAttribute, xmlText } from '../escape.ts';
import { changeLines, runTitle } from './history-part.ts';
import { changesOf, newestFirst, pageOf, type Series, type SiteRun } from './runs.ts';

/** Runs that a feed tells of, the latest of all. */
const mostEntries = 50;

/** A moment as Atom has it; the beginning of time where a report has none that can be read. */
const moment = (iso: string): string => new Date(Date.parse(iso) || 0).toISOString();

function entry(run: SiteRun, before: SiteRun | undefined): string {
  const changes = before && changesOf(before.report, run.report);
  const told =
    changes === undefined
      ? ''
      : changeLines(run, changes)
          .map((line) => plain(line))
          .join('\n');
  return `<entry><id>urn:inference-gateway-conformance:run:${xmlText(run.folder)}</id><title>${xmlText(runTitle(run, changes))}</title><updated>${moment(run.report.run.finishedAt)}</updated><link href="${xmlAttribute(pageOf(run))}"/><content type="text">${xmlText(told)}</content></entry>`;
}

/** What each run brought against the run before, the latest first, as an Atom feed. */
export function renderFeed(series: readonly Series[]): string {
  const before = new Map(series.flatMap(({ runs }) => runs.map((run, at) => [run, runs[at + 1]] as const)));
  const runs = newestFirst([...before.keys()]).slice(0, mostEntries);
  const updated = moment(runs[0]?.report.run.finishedAt ?? '');
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:inference-gateway-conformance:site</id><title>Conformance: what changed</title><updated>${updated}</updated><author><name>${xmlText(suiteInfo().name)}</name></author><link href="index.html"/>
${runs.map((run) => entry(run, before.get(run))).join('\n')}
</feed>
`;
}
