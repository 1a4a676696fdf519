import { groupDigits } from '../../spec/text.ts';
import { present } from '../../spec/present.ts';
import { badge, blocksIn, plain } from '../document/blocks.ts';
import type { Block, BlockOf, Cell, Inline, RecordedPart, Said, Blocks, Look } from '../document/blocks.ts';
import { visible } from '../escape.ts';
import { verdictSign, verdictWord } from '../wording.ts';
import { packable, attribute, type Html, html } from './template.ts';

/** Prints blocks as HTML. It knows nothing of what they tell. */

/** As an attribute has it: half a character can't stand in an address. */
export const address = (id: string): string => `#${encodeURIComponent(visible(id))}`;
const [openMark, broadMark, firstRow] = [html` open`, html` class="broad"`, html` class="first"`];
const idMark = (id: string | undefined): Html | false => id !== undefined && attribute('id', id);

/** A run of text that is said to be something, as HTML. */
const runs: { readonly [Is in Said['is']]: (of: Extract<Said, { readonly is: Is }>) => Html } = {
  code: ({ text }) => html`<code>${text}</code>`,
  strong: ({ of }) => html`<b>${inline(of)}</b>`,
  small: ({ of }) => html`<span class="meta">${inline(of)}</span>`,
  aside: ({ of }) => html`<i>${inline(of)}</i>`,
  link: ({ page, to, of }) => html`<a href="${page}${to !== '' && address(to)}">${inline(of)}</a>`,
  badge: ({ tone, word = verdictWord[tone] }) =>
    html`<span class="v ${tone}"><span aria-hidden="true">${verdictSign[tone]}</span> ${word}</span>`,
  tone: ({ tone, of }) => html`<span class="${tone}"><span class="tone">${inline(of)}</span></span>`,
  mark: ({ whole, text }) => html`<mark${whole && broadMark}>${text}</mark>`,
  folded: ({ summary, lines }) =>
    html`<details class="which"><summary>${summary}</summary><ul class="plain">${lines.map((line) => html`<li>${inline(line)}</li>`)}</ul></details>`,
  line: () => html`<br>`,
};

/** A run of text as HTML. */
export function inline(of: Inline): Html {
  if (of === null || of === undefined || of === false) return html``;
  if (typeof of !== 'object') return html`${of}`;
  if ('map' in of) return html`${of.map(inline)}`;
  // The kind tells which one it is, which the type of a union of functions does not.
  return runs[of.is](of as never);
}

/** Reasons and causes that a verdict names: as many as are read before the first of them is looked at. */
const mostReasons = 5;

const heading = (over: string, text: string): Html =>
  html`<p class="over">${over} <span aria-hidden="true">·</span> Model Inference Gateway Interface</p>
<h1>${text}</h1>
`;

function verdict(block: BlockOf<'verdict'>): Html {
  const { tone, over, subject, word, lead, reasons, causes = [], covers, picture: drawn } = block;
  const why = [...reasons, ...causes];
  return html`${heading(over, subject)}<div class="verdict ${tone}"><p class="sign" aria-hidden="true">${verdictSign[tone]}</p><div><p class="word">${word}</p><p class="lead">${inline(lead)}</p>
${why.length > 0 && list({ kind: 'list', items: why, most: mostReasons })}${covers !== undefined && html`<p class="covers">${inline(covers)}</p>`}</div>${drawn && picture(drawn)}</div>
`;
}

const section = ({ id, title, tone, blocks }: BlockOf<'section'>): Html =>
  html`<section class="part" id="${id}"><h2>${tone !== undefined && html`<span class="${tone}"><span class="tone" aria-hidden="true">${verdictSign[tone]}</span></span> `}${inline(title)}</h2>${printAll(blocks)}</section>
`;

function list({ title, tone, ordered, items, most = Number.POSITIVE_INFINITY }: BlockOf<'list'>): Html {
  const rest = items.length - most;
  const lines = html`${items.slice(0, most).map((item) => html`<li>${inline(item)}</li>`)}${rest > 0 && html`<li>and ${groupDigits(rest)} more</li>`}`;
  const head = html`<h3>${tone === undefined ? inline(title) : html`<span class="${tone}"><span class="v">${inline(title)}</span></span> <small class="meta">${items.length}</small>`}</h3>`;
  return html`${title !== undefined && head}${ordered ? html`<ol class="tries">${lines}</ol>` : html`<ul class="plain">${lines}</ul>`}`;
}

const facts = ({ facts: rows, broad }: BlockOf<'facts'>): Html => html`<dl class="facts${broad && ' broad'}">
${present(rows).map(([name, value]) => html`<div><dt>${name}</dt><dd>${inline(value)}</dd></div>`)}
</dl>`;

function cell({ of, tone, title }: Cell): Html {
  const titled = title !== undefined && attribute('title', title);
  return html`<td${tone !== undefined && attribute('class', tone)}${titled}>${inline(of)}</td>`;
}

function table({ label, look, heads, rows, rowHeads, total }: BlockOf<'table'>): Html {
  const row = ({ id, cells }: BlockOf<'table'>['rows'][number]): Html =>
    html`<tr${idMark(id)}>${cells.map((one, at) => (rowHeads && at === 0 ? html`<th scope="row">${inline(one.of)}</th>` : cell(one)))}</tr>
`;
  const body = total ? rows.slice(0, -1) : rows;
  const foot = total && html`<tfoot>${rows.slice(-1).map(row)}</tfoot>`;
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table class="${look}"><thead><tr>${heads.map((head) => html`<th scope="col">${inline(head)}</th>`)}</tr></thead><tbody>${body.map(row)}</tbody>${foot}</table></div>`;
}

function matrix({ label, heads, columns, rows, key }: BlockOf<'matrix'>): Html {
  const square = (one: BlockOf<'matrix'>['rows'][number]['squares'][number]): Html => {
    if (one === null) return html`<td class="blank"><span class="sr">not a combination</span></td>`;
    const [should, is, more] = one.words;
    const words = html`<span class="expect">${should}</span><span class="saw"><span aria-hidden="true">${verdictSign[one.tone]}</span> ${is}</span>${more !== undefined && html`<span class="any">${more}</span>`}`;
    return html`<td class="cell ${one.tone}">${one.to === undefined ? html`<span class="box" title="${one.why}">${words}</span>` : html`<a class="box" href="${address(one.to)}" title="${one.why}">${words}</a>`}</td>`;
  };
  const lines = rows.map(({ group, name, squares }, at) => {
    const isFirst = rows[at - 1]?.group !== group;
    const span = rows.filter((one) => one.group === group).length;
    return html`<tr${isFirst && firstRow}>${isFirst && html`<th scope="rowgroup" rowspan="${span}" class="family">${group}</th>`}<th scope="row" class="group">${name}</th>${squares.map(square)}</tr>`;
  });
  const modes = columns.flatMap(({ parts }) =>
    parts.map((part) => html`<th scope="col" class="mode">${part}</th>`),
  );
  return html`<p class="key">${key.map(([tone, word]) => html`<span class="chip ${tone}">${verdictSign[tone]} ${word}</span> `)}</p>
<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table class="matrix"><caption class="sr">${label}</caption><thead><tr>${heads.map((head) => html`<th rowspan="2" scope="col">${head}</th>`)}${columns.map(({ title, parts }) => html`<th scope="colgroup" colspan="${parts.length}">${title}</th>`)}</tr><tr>${modes}</tr></thead><tbody>${lines}</tbody></table></div>`;
}

/** A command of more characters is folded, but that of the first cause; and that of each cause but the first ones. */
const [longestCommand, mostCommands] = [1500, 3];

function command(text: string, isFolded = text.length > longestCommand): Html {
  const own = html`<pre class="curl" data-copy>${text}</pre>`;
  if (!isFolded) return own;
  return html`<details class="long"><summary>Command of ${groupDigits(text.length)} characters</summary>${own}</details>`;
}

function fold({ summary, blocks, open, id, look }: BlockOf<'fold'>): Html {
  const looks = { section: 'sec', exchange: 'x', exchanges: 'fold exchanges' } as const;
  const inner = html`${printAll(blocks)}`;
  return html`<details class="${look === undefined ? 'fold' : looks[look]}"${idMark(id)}${open && openMark}><summary>${look === 'section' ? html`<h3>${inline(summary)}</h3>` : inline(summary)}</summary>${look === 'exchange' && !open ? packable(inner) : inner}</details>
`;
}

/** So many entries of a cause are listed before the others, which are behind one line. */
const mostOpen = 5;

const causeEntry = (one: BlockOf<'entry'>): Html => entry(one, html`<h4>${inline(one.title)}</h4>`);

function cause(block: BlockOf<'cause'>, at: number): Html {
  const { id, tone, title, explains, places, shownBy, expected, actual, ofCommand, entries, more } = block;
  const { command: text } = block;
  const others = html`<details class="explains"><summary>${groupDigits(more.length)} not decided for it</summary><ul class="cases">${more.map(({ of }) => html`<li>${inline(of)}</li>`)}</ul></details>`;
  const rest = html`<details class="explains rest"><summary>${groupDigits(entries.length - mostOpen)} more</summary>${entries.slice(mostOpen).map(causeEntry)}</details>`;
  return html`<div class="cause ${tone}"${idMark(id)}><h3 class="what">${inline(badge(tone))} ${inline(title)} <span class="meta">${[explains, ...places].join(', ')}</span></h3>
${text !== undefined && command(text, at >= mostCommands || (at > 0 && text.length > longestCommand))}${text !== undefined && ofCommand && html`<p class="see">${inline(ofCommand)}</p>`}${against(actual, expected)}${plain(shownBy) !== '' && html`<p class="see">Shown by ${inline(shownBy)}.</p>`}${entries.slice(0, mostOpen).map(causeEntry)}${entries.length > mostOpen && rest}${more.length > 0 && others}</div>
`;
}

/** What came beside what must come. */
function against(actual: string | undefined, expected: Inline): Html | false {
  const of = (name: string, look: string, words: Inline): Html | false =>
    words !== undefined && html`<div class="${look}"><dt>${name}</dt><dd>${inline(words)}</dd></div>`;
  return (
    actual !== undefined &&
    html`<dl class="against">${of('Came', 'came', actual)}${of('Expected', 'due', expected)}</dl>`
  );
}

const finding = ({
  tone,
  what,
  message,
  expected,
  actual,
  command: text,
  blocks,
}: BlockOf<'finding'>): Html =>
  html`<div class="finding ${tone}">
<p class="case"><span>Case</span> ${inline(what)}</p>
<p class="message">${inline(message)}</p>
${against(actual, expected)}
${text !== undefined && command(text)}${printAll(blocks)}</div>
`;

function entry(
  { id, tone, meta, rate, tags, open, notes, findings, blocks }: BlockOf<'entry'>,
  heading: Html,
): Html {
  const data = Object.entries(tags).map(([name, value]) => attribute(`data-${name}`, value));
  const badged = inline(badge(tone));
  const noted = present(notes).map(([name, value]) => html`<p><b>${name}:</b> ${inline(value)}</p>`);
  return html`<details class="req ${tone}" id="${id}"${data}${open && openMark}><summary>${badged}${heading}<span class="meta"><code>${id}</code>${[...meta, ...(rate === undefined ? [] : [rate])].map((one) => html` <span>${inline(one)}</span>`)}</span></summary>
<div class="body">${noted}${findings.map(finding)}${printAll(blocks)}</div></details>
`;
}

function readings({ id, where, readings: ways, notes }: BlockOf<'readings'>): Html {
  const lines = ways.map(
    ({ label, text, where: own, isFollowed }) =>
      html`<li class="${isFollowed ? 'followed' : 'other'}"><b>${label}</b> <span>${inline(text)} <span class="meta">${own}</span></span>${isFollowed && html` <span class="v conflict">followed</span>`}</li>`,
  );
  return html`<div class="conflict-item"><p><code>${id}</code> <span class="meta">${where}</span></p><ol>${lines}</ol>${notes.map((note) => html`<p>${inline(note)}</p>`)}</div>`;
}

function picture(block: BlockOf<'picture'>): Html {
  const { look, label, width, height, stretched, paths, texts = [], caption, to } = block;
  const size = stretched ? html` preserveAspectRatio="none"` : html` width="${width}" height="${height}"`;
  const drawn = html`<svg viewBox="0 0 ${width} ${height}"${size} role="img" aria-label="${label}">${texts.map(({ x, y, text }) => html`<text x="${x}" y="${y}">${text}</text>`)}${paths.map((one) => html`<path class="${one.look}" d="${one.d}"/>`)}</svg>`;
  return to === undefined
    ? html`<figure class="${look}">${drawn}<figcaption>${caption}</figcaption></figure>`
    : html`<a class="${look}" href="${address(to)}">${drawn}<span>${caption}</span></a>`;
}

/** What follows in one piece is one text. */
function recorded(parts: readonly RecordedPart[]): Html[] {
  const texts: { text: Inline[]; behind?: string | undefined }[] = [];
  for (const { text, behind } of parts) {
    const last = texts.at(-1);
    if (behind === undefined && last !== undefined && last.behind === undefined) last.text.push(text);
    else texts.push({ text: [text], behind });
  }
  return texts.map(({ text, behind }) => {
    const own = html`<pre>${inline(text)}</pre>`;
    return behind === undefined
      ? own
      : html`<details class="middle"><summary>${behind}</summary>${own}</details>`;
  });
}

/** Shown by the script: without it there is nothing to filter with. */
function filters({ label, noun, choices }: BlockOf<'filters'>): Html {
  const selects = choices.map(
    ({ name, label: word, values }) =>
      html`<label>${word} <select name="${name}"><option value="">all</option>${values.map(([value, text]) => html`<option value="${value}">${text}</option>`)}</select></label>
`,
  );
  return html`<form id="filters" hidden aria-label="${label}" data-noun="${noun}"><label>Text <input type="search" name="q" autocomplete="off"></label>
${selects}<span class="buttons"><button type="button" id="unfold">Open all shown</button> <button type="reset">Clear</button></span><output id="shown" aria-live="polite"></output></form>`;
}

const paragraph = (text: Inline, look: Look | undefined): Html =>
  html`<p${look !== undefined && attribute('class', look === 'label' ? 'tag' : look)}>${inline(text)}</p>`;

/** How each kind of block is printed, by how many of its page stand before it. */
const printers: { readonly [Kind in Block['kind']]: (block: BlockOf<Kind>, at: number) => Html } = {
  ...{ verdict, section, list, facts, table, matrix, fold, cause, finding, readings, picture, filters },
  title: ({ over, text }) => heading(over, text),
  paragraph: ({ text, look }) => paragraph(text, look),
  command: ({ text }) => command(text),
  entry: (block) => entry(block, html`<h3 class="title">${inline(block.title)}</h3>`),
  recorded: ({ title, parts }) => html`<div><p class="tag">${inline(title)}</p>${recorded(parts)}</div>`,
  columns: ({ blocks }) => html`<div class="pair">${printAll(blocks)}</div>`,
};

/** Those blocks that a page has. */
export const printAll = (blocks: Blocks): Html[] =>
  blocksIn('page', blocks).map((block, at) => printers[block.kind](block as never, at));
