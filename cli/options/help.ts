import { readFileSync } from 'node:fs';
import { packageFile } from '../../spec/package-root.ts';

/** The text of `help/NAME.txt`, behind the options of a command; a line `{OTHER}` stands for that text. */
export const helpText = (name: string): string =>
  readFileSync(packageFile(`cli/options/help/${name}.txt`), 'utf8')
    .replace(/\n$/, '')
    .replace(/^\{(\w+)\}$/gm, (_, other: string) => helpText(other));
