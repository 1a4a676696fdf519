import { readExtension } from '../../fixtures/extension/extension.ts';
import { loadExtend } from '../../fixtures/target/extend.ts';
import { UsageError } from '../../fixtures/target/errors.ts';
import type { RunOptions } from '../options/run-options.ts';
import type { Extension } from '../../spec/extension.ts';

/**
 * What the extension files of the options state, behind those of the config; undefined where none is named. `smoke` asks
 * for the gist of the interface: those of the config wait for another profile.
 * @param config path of a config file, or what such a file holds
 * @throws UsageError for whatever is wrong with a file, and where `smoke` is to ask for one
 */
export function extensionOf(
  { extend = [], profile }: Pick<RunOptions, 'extend' | 'profile'>,
  config?: Parameters<typeof loadExtend>[0],
): Extension | undefined {
  const extension = readExtension([...(config === undefined ? [] : loadExtend(config)), ...extend]);
  if (profile !== 'smoke') return extension;
  if (extend.length === 0) return undefined;
  throw new UsageError(
    '--extend: profile smoke asks nothing of what a gateway states itself; take --profile standard or full',
  );
}
