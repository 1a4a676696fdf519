import type { Report, ReportRequirement } from '../../suites/types/report.ts';
import { given, present } from '../../spec/present.ts';
import { canFail } from '../../suites/types/gating.ts';
import { selectedAxes } from '../scope-limits.ts';
import { isShownRight } from '../../suites/types/declared.ts';
import { depthText } from '../wording.ts';
import { asksAllThatCanFail } from '../../suites/types/profile.ts';

const remedyFor = ({ nonGating }: ReportRequirement): string => {
  if (nonGating === 'too-fast')
    return 'run against a slower model (the reference gateway: `gateway --pace 20`), from a machine with nothing else to do';
  if (nonGating === 'model-behaviour') return 'run again, or declare a model that follows instructions';
  return 'read the reason in the report, and run again';
};

/** What a certificate leaves out, and what keeps it from being given: what was tried and is undecided, not the untested. */
export function coverageOf({ requirements }: Pick<Report, 'requirements'>) {
  const judged = requirements.filter(canFail);
  return {
    missing: judged
      .filter(({ verdict }) => verdict === 'inconclusive')
      .map((row) => ({ requirement: row.id, reason: row.reason ?? row.verdict, remedy: remedyFor(row) })),
    notCovered: judged
      .filter(({ verdict }) => verdict === 'untested')
      .map(({ id, impact, reason = 'not declared' }) => given({ requirement: id, impact, reason })),
  };
}

/** Why a report can't be certified, a sentence each; empty where it can. */
export function certificationBlockers(report: Report, { missing }: ReturnType<typeof coverageOf>) {
  const selected = selectedAxes(report).map(([axis]) => `--${option[axis] ?? axis}`);
  const somePassed = report.requirements.some((row) => canFail(row) && row.verdict === 'pass');
  return present([
    report.verdict === 'non-conformant' && 'the target is not conformant',
    report.run.partial && 'the run was stopped before it was complete',
    selected.length > 0 && `only a part was run: remove ${selected.join(' and ')}`,
    !asksAllThatCanFail(report.scope) && `${depthText(report.scope)} leaves out what can fail`,
    !somePassed && 'no requirement passed',
    // Of what is declared, own statements ask what they are about.
    ...(report.scope.extension ? [] : (report.declared ?? []))
      .filter((each) => !isShownRight(each))
      .map(
        ({ keys, kind }) =>
          `${keys.join(' and ')}: nothing shows that the target accepts the ${kind}; leave it out, or declare what can be judged with it`,
      ),
    ...missing.map(
      ({ requirement, reason, remedy }) => `${requirement} was not judged: ${reason}; ${remedy}`,
    ),
  ]);
}

const option: Readonly<Record<string, string>> = {
  suites: 'suite',
  requirements: 'requirement',
  families: 'family',
  groups: 'group',
};
