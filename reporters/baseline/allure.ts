/** What of a test result of Allure is read here. */
interface AllureResult {
  readonly historyId?: string;
  readonly status?: string;
  readonly statusDetails?: { readonly message?: string };
}

/**
 * The files of allure-results/ with expected failures marked the way Allure has for it: `known` for a
 * failure that is known, `muted` for one that its statistics leave out. The status stays.
 * @param cases why, by the id of the case
 */
export function markExpected(
  files: ReadonlyMap<string, string>,
  cases: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  if (cases.size === 0) return files;
  return new Map(
    [...files].map(([name, text]): [string, string] => {
      if (!name.endsWith('-result.json')) return [name, text];
      const result = JSON.parse(text) as AllureResult;
      const why = cases.get(result.historyId ?? '');
      if (why === undefined || result.status !== 'failed') return [name, text];
      const message = `expected failure: ${why}\n\n${result.statusDetails?.message ?? ''}`.trimEnd();
      const statusDetails = { ...result.statusDetails, message, known: true, muted: true };
      return [name, JSON.stringify({ ...result, statusDetails })];
    }),
  );
}
