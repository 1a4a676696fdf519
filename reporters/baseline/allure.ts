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
export function* markExpected(
  files: Iterable<readonly [name: string, text: string]>,
  cases: ReadonlyMap<string, string>,
): Generator<readonly [name: string, text: string]> {
  for (const [name, text] of files)
    yield [name, cases.size > 0 && name.endsWith('-result.json') ? marked(text, cases) : text];
}

function marked(text: string, cases: ReadonlyMap<string, string>): string {
  const result = JSON.parse(text) as AllureResult;
  const why = cases.get(result.historyId ?? '');
  if (why === undefined || result.status !== 'failed') return text;
  const message = `expected failure: ${why}\n\n${result.statusDetails?.message ?? ''}`.trimEnd();
  const statusDetails = { ...result.statusDetails, message, known: true, muted: true };
  return JSON.stringify({ ...result, statusDetails });
}
