import { isTextProtocol, type Protocol, protocols, textProtocols } from '../../../spec/vocabulary.ts';
import { describeSettings, isSameSetting, type Setting } from '../../types/combination.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { parameterValueId, plainId } from '../../types/request-ids.ts';
import { signsRequirements } from '../builder/shared-requests.ts';
import { combinationRows, rowsWhere } from './situations.ts';

/** Every row of the covering arrays, and every combination beyond them, is answered (4.1 to 4.4). */
export function combinationCases(builder: CaseBuilder): void {
  for (const protocol of protocols) {
    const rows = combinationRows(builder, protocol);
    const explored = isTextProtocol(protocol) ? builder.explored(protocol) : [];
    for (const [at, { id, combination }] of [...rows, ...explored].entries()) {
      const requirements = [...new Set(combination.settings.flatMap((setting) => setting.requirements))];
      if (requirements.length === 0) continue;
      builder.add({
        id: `parameters.${protocol}.combination.${at + 1}`,
        title: `${protocol} accepts ${describeSettings(combination.settings)}`,
        requirements,
        check: () => ({
          kind: 'combination',
          probe: id,
          words: isTextProtocol(protocol)
            ? builder.rows(protocol).inline.map(({ exchange }) => exchange)
            : [],
          others: othersOf(builder, protocol, id, combination.settings),
          plain: plainId(protocol),
        }),
      });
    }
  }
}

/** A text is taken whatever signs it holds: one that is refused is taken apart to the sign (4.1 to 4.3). */
export function textSignCases(builder: CaseBuilder): void {
  for (const protocol of textProtocols)
    builder.add({
      id: `parameters.${protocol}.signs`,
      title: `${protocol} accepts a text with quotation marks, line breaks and other signs`,
      requirements: signsRequirements(protocol),
      check: () => ({
        kind: 'combination',
        probe: builder.long(protocol),
        words: [],
        others: {},
        plain: plainId(protocol),
      }),
    });
}

/** Of each setting the requests that have it, too: other rows, and the plain request with it alone. */
function othersOf(
  builder: CaseBuilder,
  protocol: Protocol,
  id: string,
  settings: readonly Setting[],
): Readonly<Record<string, readonly string[]>> {
  const others = settings.map((setting) => {
    const rows = rowsWhere(builder, protocol, (each) => isSameSetting(each, setting));
    const alone = singleOf(builder, protocol, setting);
    return [setting.factor, [...rows.filter((row) => row !== id), ...(alone ? [alone] : [])]];
  });
  return Object.fromEntries(others);
}

/** The plain request with one parameter, where one is planned. */
function singleOf(builder: CaseBuilder, protocol: Protocol, { fields = {}, factor }: Setting) {
  const slugOf = (name: string): string => name.replaceAll('_', '-');
  const sample = factor === 'previous_response_id' ? 'earlier' : 'sample';
  const ids = [
    ...Object.entries(fields).map(([name, value]) => parameterValueId(protocol, slugOf(name), String(value))),
    parameterValueId(protocol, slugOf(factor), sample),
  ];
  return ids.find((id) => builder.requests.has(id));
}
