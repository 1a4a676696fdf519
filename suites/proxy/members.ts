import type { Span } from '../wire/redaction/views.ts';
import { isSecretName } from './harmless.ts';

/** Strings and marks of a JSON text in their order: what stands between them is a number or a word. */
const signs = /"(?:[^"\\]|\\[\s\S])*"?|[:,[\]{}]/g;

/** What a string of JSON says, also one that breaks off. */
export function textOf(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    return json.slice(1);
  }
}

/** A member whose value goes on. */
interface Open {
  readonly depth: number;
  /** Whether it, or one that it is in, is named as a secret. */
  readonly isSecret: boolean;
  readonly isModel: boolean;
  /** Where the value of a model begins, unless it is in another. */
  readonly start?: number;
}

/** What of the members of a body may be a credential. */
export interface Members {
  /** All texts in members that are named as secrets are, or `model`, names too; and what addresses hold of credentials. */
  readonly texts: readonly string[];
  /** Where the values of members named `model` stand. */
  readonly models: readonly Span[];
}

/** Users and passwords of the addresses in a text, and what their queries give a name of a secret. */
function addressSecrets(text: string): readonly string[] {
  return [...text.matchAll(/\bhttps?:\/\/([^\s"\\]{1,4096})/g)].flatMap(([, address = '']) => {
    const [, user = '', query = ''] = /^(?:([^/?#@]*)@)?[^?#]*\??([^#]*)/.exec(address) ?? [];
    const named = query
      .split('&')
      .map((part) => part.split(/=(.*)/s))
      .flatMap(([name = '', value = '']) => (isSecretName(name) ? [value] : []));
    return [...user.split(':'), ...named];
  });
}

/** Reads a body once, also one that breaks off. */
export function membersOf(body: string): Members {
  const texts: string[] = [];
  const models: Span[] = [];
  const open: Open[] = [];
  let depth = 0;
  /** A string that is a name or a value: the next sign tells. */
  let last: string | undefined;
  const takeValue = (): void => {
    const { isSecret = false, isModel = false } = open.at(-1) ?? {};
    if (last !== undefined && (isSecret || isModel)) texts.push(textOf(last));
    last = undefined;
  };
  const close = (from: number, end: number): void => {
    for (let top = open.at(-1); top !== undefined && top.depth >= from; top = open.at(-1)) {
      open.pop();
      if (top.start !== undefined) models.push({ start: top.start, end });
    }
  };
  for (const { 0: sign, index } of body.matchAll(signs)) {
    if (sign === ':') {
      const [name, around] = [textOf(last ?? ''), open.at(-1)];
      const [isIn, isModel] = [around?.isModel === true, name === 'model'];
      if (around?.isSecret === true || isIn) texts.push(name);
      const isSecret = around?.isSecret === true || isSecretName(name);
      const start = isModel && !isIn ? { start: index + 1 } : {};
      open.push({ depth, isSecret, isModel: isIn || isModel, ...start });
      last = undefined;
      continue;
    }
    takeValue();
    if (sign.startsWith('"')) last = sign;
    else if (sign === '{' || sign === '[') depth += 1;
    else {
      close(depth, index);
      if (sign !== ',') depth -= 1;
    }
  }
  takeValue();
  close(Number.NEGATIVE_INFINITY, body.length);
  return { texts: [...texts, ...addressSecrets(body)], models };
}
