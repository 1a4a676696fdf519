// Writes suites/types/report.ts, the types of a report, of its JSON Schema: before each build, type check and test.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const typesPath = 'suites/types/report.ts';
const schemaPath = 'reporters/schema/report.schema.json';
const root = fileURLToPath(new URL('..', import.meta.url));

/** Of these a schema knows only what they look like: an extension adds some, and the code takes them for one of its own. */
const words = { group: 'Group' };
const header = `// Generated from ${schemaPath}: change that.
import type { ${Object.values(words).join(', ')} } from '../../spec/vocabulary.ts';
`;

const pascal = (key) => key.charAt(0).toUpperCase() + key.slice(1);
const literals = (values) => values.map((value) => JSON.stringify(value)).join(' | ');
const documented = ({ description }) => (description ? `/** ${description} */\n` : '');
/** What is more than one of the types of JSON has a name, also without a title. */
const isPlain = ({ title, type, enum: values, oneOf }) =>
  title === undefined && values === undefined && oneOf === undefined && type !== 'object';

/**
 * What has a `title` is a type of that name, which others import; other definitions have that of their key, and the rest
 * stands where it is used. Keywords that only bound values say nothing here.
 */
class Types {
  #written = new Map();
  #defs;

  constructor({ $defs, ...schema }) {
    this.#defs = $defs;
    this.#name(schema, 'Report', true);
  }

  get text() {
    return [...this.#written.values()].join('\n');
  }

  #name(schema, name, isExported) {
    if (!this.#written.has(name)) {
      // Its place, before those that it uses: a reader goes from the whole to the parts.
      this.#written.set(name, '');
      const { $ref, properties, additionalProperties } = schema;
      const isInterface = properties !== undefined && typeof additionalProperties !== 'object';
      const base = isInterface && $ref ? ` extends ${this.#of({ $ref })}` : '';
      const declared = isInterface
        ? `interface ${name}${base} ${this.#object(schema).replace(/^\{ /, '{\n')}`
        : `type ${name} = ${this.#unnamed(schema)};`;
      this.#written.set(name, `${documented(schema)}${isExported ? 'export ' : ''}${declared}\n`);
    }
    return name;
  }

  #of(schema) {
    if (schema.title) return this.#name(schema, schema.title, true);
    return this.#unnamed(schema);
  }

  #referred($ref) {
    const key = /^#\/\$defs\/(\w+)$/.exec($ref)?.[1];
    const schema = this.#defs[key];
    if (schema === undefined) throw new Error(`no definition ${$ref}`);
    if (words[key]) return words[key];
    if (isPlain(schema)) return this.#unnamed(schema);
    return this.#name(schema, schema.title ?? pascal(key), schema.title !== undefined);
  }

  #unnamed(schema) {
    const { $ref, const: value, enum: values, oneOf, type, prefixItems, items } = schema;
    if ($ref) return [this.#referred($ref), ...(schema.properties ? [this.#object(schema)] : [])].join(' & ');
    if (value !== undefined) return literals([value]);
    if (values) return literals(values);
    if (oneOf) return oneOf.map((each) => this.#of(each)).join(' | ');
    if (Array.isArray(type)) return type.map((each) => this.#unnamed({ ...schema, type: each })).join(' | ');
    if (prefixItems) return `readonly [${prefixItems.map((each) => this.#of(each)).join(', ')}]`;
    if (type === 'array') return `readonly ${this.#grouped(items)}[]`;
    if (type === 'object') return this.#object(schema);
    if (type === 'integer') return 'number';
    if (['string', 'number', 'boolean', 'null'].includes(type)) return type;
    throw new Error(`no type for ${JSON.stringify(schema)}`);
  }

  #grouped(schema) {
    const type = this.#of(schema);
    return /[|&]/.test(type) || type.startsWith('readonly') ? `(${type})` : type;
  }

  #object({ properties, required = [], additionalProperties }) {
    if (properties === undefined) return `Readonly<Record<string, ${this.#of(additionalProperties)}>>`;
    const members = Object.entries(properties).map(
      ([name, schema]) =>
        `${schema.title ? '' : documented(schema)}readonly ${name}${required.includes(name) ? '' : '?'}: ${this.#of(schema)};`,
    );
    // What has nothing to explain may stand on one line; where it is too long for that, the formatter breaks it.
    return /\n/.test(members.join('')) ? `{\n${members.join('\n')}\n}` : `{ ${members.join(' ')} }`;
  }
}

/** Writes the types where they are not those of the schema: a file that stays as it is asks for no build. */
export function setup() {
  const types = new Types(JSON.parse(readFileSync(`${root}/${schemaPath}`, 'utf8')));
  const [file, text] = [`${root}/${typesPath}`, `${header}\n${types.text}`];
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) setup();
