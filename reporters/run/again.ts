import { groupBy } from '../../spec/group-by.ts';
import { count } from '../../spec/text.ts';
import type { AskedAgain } from '../../suites/types/profile.ts';
import type { Report, Verdict } from '../../suites/types/report.ts';
import { againOf } from '../wording.ts';
import { type Block, code, list, link, section } from '../document/blocks.ts';

type Before = AskedAgain['requirements'][number]['verdict'];

/** What became of a requirement that was asked again: in capitals as a heading, with the verdict that it has now. */
function outcomeOf(
  before: Before,
  now: Verdict | undefined,
  { isPartial, isRepeated }: { readonly isPartial: boolean; readonly isRepeated: boolean },
): readonly [words: string, tone: Verdict] {
  if (now === 'fail') return [before === 'fail' ? 'STILL FAILING' : 'FAILS NOW', 'fail'];
  // What was not asked yet may still fail.
  if (now === 'pass' && isPartial) return ['PASSES SO FAR', 'inconclusive'];
  // Where nothing was mended, nothing is fixed.
  if (now === 'pass') return [before === 'fail' && !isRepeated ? 'FIXED' : 'PASSES NOW', 'pass'];
  return [before === 'fail' ? 'UNDECIDED NOW' : 'STILL UNDECIDED', 'inconclusive'];
}

/** What became of each requirement of an earlier run that was asked again; false where the run asked anew. */
export function againSection({ scope, run, requirements }: Report): Block | false {
  const { again } = scope;
  if (again === undefined) return false;
  const now = new Map(requirements.map(({ id, verdict }) => [id, verdict]));
  const how = { isPartial: run.partial, isRepeated: again.repeated === true };
  const told = again.requirements.map(({ id, verdict }) => {
    const [words, tone] = outcomeOf(verdict, now.get(id), how);
    return { id, words, tone };
  });
  const groups = [...groupBy(told, ({ words }) => words).values()];
  const sums = groups.flatMap(([first, ...rest]) => (first ? [`${rest.length + 1} ${first.words}`] : []));
  const title = `Asked again: ${count(told.length, 'requirement')} of ${againOf(again)}: ${sums.join(', ')}`;
  const isGood = told.every(({ tone }) => tone === 'pass');
  return section(
    ['part-again', 'Asked again', title],
    groups.flatMap((rows) => {
      const [first] = rows;
      if (first === undefined) return [];
      const items = rows.map(({ id }) => link(id, code(id)));
      return [list(items, { title: first.words, tone: first.tone })];
    }),
    { tone: isGood ? 'pass' : 'fail' },
  );
}
