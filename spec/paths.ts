import { extension } from './extension.ts';
import { protocolFacts } from './protocols.ts';
import type { Protocol } from './vocabulary.ts';

/** Where a protocol is asked, below the base address: at the path of the interface, or at the one that an extension asks in its place. */
export function protocolPath(protocol: Protocol): string {
  const at = extension()?.at;
  return at?.shape === protocol ? at.path : protocolFacts[protocol].path;
}
