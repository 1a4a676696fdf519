import type { ReportCause } from '../../suites/types/cause.ts';
import type { Report } from '../../suites/types/report.ts';
import { protocols } from '../../spec/vocabulary.ts';

/** Which of the requirements that a fault breaks may have a cause of this kind, and what it is about. */
function fits({ id, kind }: ReportCause, broken: string): boolean {
  const [, about = ''] = id.split(/:(.*)/s);
  const [protocol = '', ...rest] = about.split('.');
  const names = rest.join('.').split('+');
  switch (kind) {
    case 'endpoint-absent':
    case 'endpoint-unanswered':
      return broken === `${about}.endpoint` || (broken.startsWith('family.') && broken.endsWith(`.${about}`));
    case 'token-not-accepted':
      return broken.startsWith(`${about}.auth.`) || broken === `${about}.endpoint`;
    case 'family-not-served':
      return broken.startsWith('family.') || protocols.some((each) => broken === `${each}.endpoint`);
    case 'stream-not-offered':
      return /\.stream\.|\.param\.stream\./.test(broken);
    case 'parameter-not-supported':
      return (
        names.some((each) => broken.startsWith(`${protocol}.param.${each}.`)) ||
        !/\.param\.|\.endpoint$|^family\./.test(broken)
      );
    case 'text-refused':
      return /\.(messages|input|prompt)\.accepted$|\.output\.intact$/.test(broken);
    case 'result-field-broken':
    case 'requirement-broken':
      return broken === about;
    case 'not-refused':
      return !/\.result\.|\.accepted$|^\w+\.stream\.|\.endpoint$/.test(broken);
    case 'no-usable-reply':
    case 'no-answer-in-time':
      return /\.stream\.|\.endpoint$|^service\./.test(broken);
    default:
      return false;
  }
}

/** Why the first cause of a report does not name what the fault broke; undefined where it does. */
export function firstCauseMisses({ causes = [] }: Report, breaks: readonly string[]): string | undefined {
  const [first] = causes;
  if (first === undefined) return 'there is no cause';
  const own = first.requirements.filter((id) => breaks.includes(id));
  if (own.length === 0) return `${first.id} explains nothing that the fault breaks`;
  return own.some((id) => fits(first, id)) ? undefined : `${first.id} is not what breaks ${own.join(', ')}`;
}
