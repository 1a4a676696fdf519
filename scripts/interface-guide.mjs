// Writes docs/interface.md of the register. A test says when it is out of date.
import { writeFileSync } from 'node:fs';
import { guidePath, interfaceGuide } from '../dist/tools/scripts/internals.js';

writeFileSync(new URL(`../${guidePath}`, import.meta.url), interfaceGuide());
