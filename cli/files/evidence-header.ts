import type { Target } from '../../fixtures/target/target.ts';
import { withExtension } from '../../spec/extension.ts';
import { suiteInfo } from '../../spec/requirements.ts';
import { runId } from '../../suites/judge/judge-run.ts';
import { type Depth, depthIn } from '../../suites/types/profile.ts';
import { type EvidenceHeader, evidenceVersion, shownTarget } from './evidence-file.ts';
import type { Settings } from '../run/run-settings.ts';

/** The first line of the evidence of what begins now, or began at a time. */
export const headerOf = (
  target: Target,
  settings: Pick<Settings, 'seed' | 'selection' | 'repeat'> & Depth,
  startedAt = new Date().toISOString(),
): EvidenceHeader => ({
  kind: 'header',
  schemaVersion: evidenceVersion,
  suite: suiteInfo(),
  runId: runId(settings.seed, startedAt, target.baseUrl),
  target: withExtension(settings.extension, () => shownTarget(target)),
  seed: settings.seed,
  selection: settings.selection,
  ...depthIn(settings),
  ...(settings.repeat === undefined ? {} : { repeat: settings.repeat }),
  startedAt,
});
