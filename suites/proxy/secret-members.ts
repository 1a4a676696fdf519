import { isSecretName } from './harmless.ts';

/** Strings and colons of a JSON text in their order: what stands between them tells nothing here. */
const signs = /"(?:[^"\\]|\\[\s\S])*"?|:/g;

function textOf(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    return json.slice(1);
  }
}

/** The texts in a body whose members are named as secrets are, also of a body that breaks off. */
export function secretMembers(body: string): readonly string[] {
  const found: string[] = [];
  let [name, before] = ['', ''];
  for (const [sign] of body.matchAll(signs)) {
    if (before === ':' && sign !== ':' && isSecretName(textOf(name))) found.push(textOf(sign));
    if (sign === ':') name = before;
    before = sign;
  }
  return found;
}
