import type { Template } from './template.ts';

/** One thing of a valid request that can be left out of it: a parameter with a value, turns, or a property of the prompt. */
export interface Setting {
  readonly factor: string;
  /** In words, such as `temperature = 0`. */
  readonly description: string;
  /** What breaks where a request is refused for it; none where it is not stated to be accepted. */
  readonly requirements: readonly string[];
  /** A form that is not shown: refused by itself it breaks nothing. */
  readonly mayBeRefused?: true;
  /** A property of what is asked: refused together with a parameter, it is the parameter that breaks. */
  readonly isOfPrompt?: true;
  /** The factor of the setting whose text it changes, without which it is not there: that one is not to blame. */
  readonly restsOn?: string;
  readonly fields?: Readonly<Record<string, Template>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Turns before the last message. */
  readonly turns?: readonly Template[];
  /** The last message is given in a list of messages, even where a text would do. */
  readonly isListed?: true;
  /** Text before the last message. */
  readonly preface?: string;
  /** A sign of the texts: left out, it is in none of them. */
  readonly sign?: string;
  /** Texts that stand for others, wherever those are in the body. */
  readonly replaces?: readonly { readonly text: string; readonly by: string }[];
}

export const describeSettings = (settings: readonly Setting[]): string =>
  settings.map(({ description }) => description).join(', ');

/** The headers of a request with these settings; none where no setting has one. */
export function headersOf(settings: readonly Setting[]): Readonly<Record<string, string>> | undefined {
  const given = settings.flatMap(({ headers = {} }) => Object.entries(headers));
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** A valid request as a base and settings, each of which can be left out of it. */
export interface Combination {
  /** The members of the body that no setting has. */
  readonly base: Readonly<Record<string, Template>>;
  /** The member that holds what is asked. */
  readonly content: string;
  /** Whether that is a list of messages without any setting. */
  readonly isListed: boolean;
  /** The last message. */
  readonly question: string;
  readonly settings: readonly Setting[];
}

export function combinedBody(combination: Combination, settings: readonly Setting[]): Template {
  const { base, content, isListed, question } = combination;
  const text = [...settings.flatMap(({ preface }) => preface ?? []), question].join(' ');
  const turns = settings.flatMap((setting) => setting.turns ?? []);
  const listed = isListed || turns.length > 0 || settings.some((setting) => setting.isListed);
  const asked: Template = listed ? [...turns, { role: 'user', content: text }] : text;
  const fields = settings.flatMap((setting) => Object.entries(setting.fields ?? {}));
  const body = { ...base, [content]: asked, ...Object.fromEntries(fields) };
  const signs = combination.settings.filter(
    (setting) => setting.sign !== undefined && !settings.includes(setting),
  );
  const withoutSigns = signs.flatMap(({ sign }) => (sign === undefined ? [] : [{ text: sign, by: '' }]));
  const replaced = [...settings.flatMap(({ replaces }) => replaces ?? []), ...withoutSigns];
  return replaced.length === 0 ? body : withTexts(body, replaced);
}

/** Each text of a template with all that is replaced in it, in that order. */
function withTexts(template: Template, replaced: NonNullable<Setting['replaces']>): Template {
  if (typeof template === 'string')
    return replaced.reduce((made, { text, by }) => made.replaceAll(text, by), template);
  if (typeof template !== 'object' || template === null) return template;
  if (Array.isArray(template)) return template.map((inner: Template) => withTexts(inner, replaced));
  return Object.fromEntries(
    Object.entries(template).map(([name, inner]) => [name, withTexts(inner, replaced)]),
  ) as Template;
}

/** Whether two settings are the same, whatever their requests are made of besides. */
export const isSameSetting = (
  one: Pick<Setting, 'factor' | 'description'>,
  other: Pick<Setting, 'factor' | 'description'>,
): boolean => one.factor === other.factor && one.description === other.description;
