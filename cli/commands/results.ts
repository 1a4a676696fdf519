import { terminalLine } from '../../reporters/escape.ts';
import { coversOf } from '../../reporters/certificate/covers.ts';
import { indentedLines } from '../../reporters/certificate/verification.ts';
import { overallWord } from '../../reporters/wording.ts';
import { present } from '../../spec/present.ts';
import { count, shorten } from '../../spec/text.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { today } from '../files/render-context.ts';
import { print } from '../output/terminal.ts';
import { type CheckedResult, checkResults, resultName } from '../results/check-results.ts';

/** Characters of what a result covers. */
const longest = 300;

const signs = { listed: '✓', refused: '✕', undecided: '?' } as const;

const linesOf = (result: CheckedResult): readonly string[] => {
  const { outcome, problems, report, isSigned } = result;
  const covers = shorten(coversOf(report).covers, longest);
  const head = `${signs[outcome]} ${resultName(result)}  ${overallWord[report.verdict].toLowerCase()}; ${covers}${isSigned ? '; signed' : ''}`;
  return [terminalLine(head), ...indentedLines(problems, '-')];
};

/** What the results come to: refused before undecided. */
export function codeOf(results: readonly CheckedResult[]): ExitCode {
  if (results.some(({ outcome }) => outcome === 'refused')) return exitCodes.nonConformant;
  return results.some(({ outcome }) => outcome === 'undecided') ? exitCodes.notJudged : exitCodes.conformant;
}

/** The results, each with why it is not listed, and how many of each kind there are. */
export function resultsText(results: readonly CheckedResult[]): string {
  const of = (outcome: CheckedResult['outcome']) => results.filter((one) => one.outcome === outcome).length;
  const [refused, undecided] = [of('refused'), of('undecided')];
  const rest = present([refused > 0 && `${refused} refused`, undecided > 0 && `${undecided} not decided`]);
  return [
    ...results.flatMap(linesOf),
    '',
    `${count(results.length, 'result')}${rest.length > 0 ? `: ${rest.join(', ')}` : ', all as recorded'}.`,
  ].join('\n');
}

/** `results check`: verifies each bundle of a folder of results, and judges its evidence again. */
export function resultsCheckCommand(dir: string): ExitCode {
  const { results } = checkResults(dir, today());
  print(resultsText(results));
  return codeOf(results);
}
