// Written apart from the suite's own redactor: both would else be blind to the same thing.

const each = (text: string, form: (char: string) => string): string => [...text].map(form).join('');
const hex = (char: string): string => char.charCodeAt(0).toString(16).padStart(2, '0');

/** The base64 of a text wherever it stands in something larger: what its neighbours do not change. */
function base64Cores(text: string): string[] {
  return [0, 1, 2].map((shift) => {
    const whole = Buffer.from('x'.repeat(shift) + text).toString('base64');
    return whole.slice(shift === 0 ? 0 : 4, Math.floor(((shift + text.length) * 4) / 3) - 1);
  });
}

/** A secret in every encoding that a careless writer could leave it in, by name. */
export function formsOf(secret: string): ReadonlyMap<string, string> {
  const cores = base64Cores(secret);
  return new Map([
    ['raw', secret],
    ['utf-16', each(secret, (char) => `${char}\0`).slice(0, -1)],
    ['hex', Buffer.from(secret).toString('hex')],
    ['HEX', Buffer.from(secret).toString('hex').toUpperCase()],
    ...cores.map((core, shift): [string, string] => [`base64 at ${shift}`, core]),
    ...cores.map((core, shift): [string, string] => [
      `base64url at ${shift}`,
      core.replaceAll('+', '-').replaceAll('/', '_'),
    ]),
    ['percent', each(secret, (char) => `%${hex(char)}`)],
    ['Percent', each(secret, (char) => `%${hex(char).toUpperCase()}`)],
    ['json', each(secret, (char) => `\\u00${hex(char)}`)],
    ['json twice', each(secret, (char) => `\\\\u00${hex(char)}`)],
    ['html', each(secret, (char) => `&#${char.charCodeAt(0)};`)],
    ['html hex', each(secret, (char) => `&#x${hex(char)};`)],
    ['markdown', secret.replace(/[_*-]/g, '\\$&')],
  ]);
}

/** Undoes the escapes of URL, JSON and HTML, so that what is written half in one and half in another shows. */
const undone = (text: string): string =>
  text
    .replace(/\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16) % 65536))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code) % 65536));

/** In which forms which of the secrets stand in a text. */
export function leaksIn(text: string, secrets: readonly string[]): string[] {
  const plain = undone(text);
  return secrets.flatMap((secret, place) => [
    ...[...formsOf(secret)].flatMap(([name, form]) => (text.includes(form) ? [`${place}: ${name}`] : [])),
    ...(plain.includes(secret) ? [`${place}: raw once escapes are undone`] : []),
  ]);
}
