import { type Debugger, type Profiler, Session } from 'node:inspector/promises';
import { packageFile } from '../spec/package-root.ts';

/** Functions that vitest wraps a module in, and those by which it reads an export. */
const ofVitest = /^(?:async \(__vite_ssr_exports__|\(\) => \{ try \{ return \w+ \} catch \{\} \}$)/;

/** Tells which files of the project ran a function. */
export interface ExecutedFiles extends AsyncDisposable {
  /** Those since it was last asked, by their path in the project, sorted. */
  readonly since: () => Promise<readonly string[]>;
}

export async function watchFiles(): Promise<ExecutedFiles> {
  const session = new Session();
  session.connect();
  await session.post('Debugger.enable');
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const root = packageFile('');

  async function hasRun({ scriptId, functions }: Profiler.ScriptCoverage): Promise<boolean> {
    const { scriptSource }: Debugger.GetScriptSourceReturnType = await session.post(
      'Debugger.getScriptSource',
      { scriptId },
    );
    return functions.some(({ ranges: [range] }) => {
      // The first of a file is the file itself.
      if (range === undefined || range.count === 0 || range.startOffset === 0) return false;
      return !ofVitest.test(scriptSource.slice(range.startOffset, range.endOffset));
    });
  }

  const since = async (): Promise<readonly string[]> => {
    const taken: Profiler.TakePreciseCoverageReturnType = await session.post('Profiler.takePreciseCoverage');
    const names = new Set<string>();
    for (const script of taken.result) {
      const [, name] = script.url.split(root);
      const isOurs = name !== undefined && !name.includes('node_modules');
      if (isOurs && (await hasRun(script))) names.add(name.replace(/^\//, ''));
    }
    return [...names].sort();
  };
  return {
    since,
    [Symbol.asyncDispose]: async () => {
      await session.post('Profiler.stopPreciseCoverage');
      session.disconnect();
    },
  };
}
