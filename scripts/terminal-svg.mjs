// Draws what a terminal showed over time as one SVG: text in its colours, each line for as long as it stood there.
// What is not animated (a print, `prefers-reduced-motion`) shows the end.

const charWidth = 8.4;
const lineHeight = 19;
const margin = { left: 18, top: 44, bottom: 16 };
const colours = { 31: '#ff7b72', 32: '#56d364', 33: '#e3b341', 34: '#79c0ff', 35: '#d2a8ff', 36: '#76e3ea' };
const plain = { colour: '', isBold: false, isDim: false };

const control = '\u001b';
/** A control sequence with its codes and its last letter, or one character. */
const pieces = new RegExp(`${control}\\[[?]?([\\d;]*)([A-Za-z])|(${control}.|[\\s\\S])`, 'gu');

/** The style after one code of an SGR sequence. */
function styled(style, code) {
  if (code === 0) return plain;
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 22) return { ...style, isBold: false, isDim: false };
  if (code === 39) return { ...style, colour: '' };
  return colours[code] === undefined ? style : { ...style, colour: colours[code] };
}

/** A terminal without a bottom: rows of cells, written to by text and the sequences that a command line tool uses. */
function createTerminal() {
  const rows = [[]];
  let [row, column, style] = [0, 0, plain];
  const rowNow = () => (rows[row] ??= []);
  const sequences = {
    m: (codes) => {
      style = codes.reduce(styled, style);
    },
    K: ([part]) => (part === 2 ? rowNow().splice(0) : rowNow().splice(column)),
    G: ([to]) => {
      column = Math.max(0, to - 1);
    },
  };
  const write = (text) => {
    for (const [, codes, end, char] of text.matchAll(pieces)) {
      if (end !== undefined) sequences[end]?.(codes.split(';').map(Number));
      else if (char === '\r') column = 0;
      else if (char === '\n') row += 1;
      else if (!char.startsWith(control)) rowNow()[column++] = { char, style };
    }
  };
  return { rows, write };
}

const escaped = (text) => text.replace(/[&<>]/g, (char) => `&#${char.codePointAt(0)};`);

/** The cells of a row as text elements, one for each run of one style. */
function drawn(cells) {
  const runs = [];
  for (let at = 0; at < cells.length; at += 1) {
    const { char, style } = cells[at] ?? { char: ' ', style: plain };
    const last = runs.at(-1);
    if (last?.style === style) last.text += char;
    else runs.push({ at, style, text: char });
  }
  return runs
    .filter(({ text }) => text.trim() !== '')
    .map(({ at, style: { colour, isBold, isDim }, text }) => {
      const looks = `${colour && ` fill="${colour}"`}${isBold ? ' class="b"' : ''}${isDim ? ' fill-opacity=".6"' : ''}`;
      const x = (margin.left + at * charWidth).toFixed(1);
      return `<tspan x="${x}" textLength="${(text.length * charWidth).toFixed(1)}"${looks}>${escaped(text)}</tspan>`;
    })
    .join('');
}

/** What stood in each row, from when to when, in seconds; `until` is absent for what stands there at the end. */
function spansOf(chunks) {
  const terminal = createTerminal();
  const [spans, shown] = [[], []];
  for (const { seconds, text } of chunks) {
    terminal.write(text);
    terminal.rows.forEach((cells, row) => {
      const markup = drawn(cells);
      if (markup === (shown[row]?.markup ?? '')) return;
      if (shown[row] !== undefined) shown[row].until = seconds;
      shown[row] = { row, markup, from: seconds };
      spans.push(shown[row]);
    });
  }
  return { spans: spans.filter(({ markup }) => markup !== ''), height: terminal.rows.length };
}

/**
 * @param chunks what was printed: text, and seconds from the start
 * @param options columns of the terminal, and what the picture is called
 */
export function terminalSvg(chunks, { columns, title }) {
  const { spans, height } = spansOf(chunks);
  const size = {
    width: Math.ceil(columns * charWidth + 2 * margin.left),
    height: margin.top + height * lineHeight + margin.bottom,
  };
  const lines = spans.map(({ row, markup, from, until }) => {
    const y = margin.top + (row + 0.7) * lineHeight;
    const times = `animation-delay:${from.toFixed(2)}s${until === undefined ? '' : `;animation-duration:${(until - from).toFixed(2)}s`}`;
    return `<text y="${y.toFixed(1)}" class="${until === undefined ? 'stays' : 'goes'}" style="${times}">${markup}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" role="img">
<title>${escaped(title)}</title>
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #e6edf3; white-space: pre }
.b { font-weight: bold }
.goes { opacity: 0; animation: on 1s step-end }
.stays { animation: off .01s step-end backwards }
@keyframes on { from { opacity: 1 } to { opacity: 1 } }
@keyframes off { from { opacity: 0 } to { opacity: 0 } }
@media (prefers-reduced-motion: reduce) { text { animation: none !important } }
</style>
<rect width="100%" height="100%" rx="10" fill="#0d1117"/>
<g fill="#484f58"><circle cx="24" cy="22" r="6"/><circle cx="44" cy="22" r="6"/><circle cx="64" cy="22" r="6"/></g>
${lines.join('\n')}
</svg>
`;
}
