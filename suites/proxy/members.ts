import { isSecretName } from './harmless.ts';

/** Strings and marks of a JSON text in their order: what stands between them is a number or a word. */
const signs = /"(?:[^"\\]|\\[\s\S])*"?|[:,[\]{}]/g;

/** What a string of JSON says, also one that breaks off. */
function textOf(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    return json.slice(1);
  }
}

/** A member whose value goes on. */
interface Open {
  readonly depth: number;
  /** Whether all in it may be a credential: it, or one that it is in, is named as a secret is, or `model`. */
  readonly isSecret: boolean;
}

/** Users and passwords of the addresses in a text, and what their queries give a name of a secret. */
const addressSecrets = (text: string): readonly string[] =>
  [...text.matchAll(/\bhttps?:\/\/([^\s"\\]{1,4096})/g)].flatMap(([, address = '']) => {
    const [, user = '', query = ''] = /^(?:([^/?#@]*)@)?[^?#]*\??([^#]*)/.exec(address) ?? [];
    const named = query
      .split('&')
      .map((part) => part.split(/=(.*)/s))
      .flatMap(([name = '', value = '']) => (isSecretName(name) ? [value] : []));
    return [...user.split(':'), ...named];
  });

/** All texts in members named as secrets are, or `model`, their names, and the credentials in addresses. One pass. */
export function secretTexts(body: string): readonly string[] {
  const texts: string[] = [];
  const open: Open[] = [];
  let depth = 0;
  /** A string that is a name or a value: the next sign tells. */
  let last: string | undefined;
  const takeValue = (): void => {
    if (last !== undefined && open.at(-1)?.isSecret === true) texts.push(textOf(last));
    last = undefined;
  };
  for (const [sign] of body.matchAll(signs)) {
    if (sign === ':') {
      const name = textOf(last ?? '');
      const isIn = open.at(-1)?.isSecret === true;
      if (isIn) texts.push(name);
      open.push({ depth, isSecret: isIn || name === 'model' || isSecretName(name) });
      last = undefined;
      continue;
    }
    takeValue();
    if (sign.startsWith('"')) last = sign;
    else if (sign === '{' || sign === '[') depth += 1;
    else {
      while ((open.at(-1)?.depth ?? -1) >= depth) open.pop();
      if (sign !== ',') depth -= 1;
    }
  }
  takeValue();
  return [...texts, ...addressSecrets(body)];
}
