/** What the document does when scripts run: filters, copying, opening what a link leads to, and what is packed. */
export const script = `'use strict';
(() => {
  const lines = JSON.parse(document.getElementById('lines')?.textContent ?? '[]');
  const unpack = (within) => {
    for (const one of within.querySelectorAll('[data-packed]'))
      one.outerHTML = one.dataset.packed.split(' ').map((number) => lines[parseInt(number, 36)]).join('');
  };
  addEventListener('toggle', ({ target }) => { if (target.className === 'x') unpack(target); }, true);
  const form = document.getElementById('filters');
  const shown = document.getElementById('shown');
  const rows = [...document.querySelectorAll('.req')];
  const texts = new Map();
  const textOf = (row) => {
    if (!texts.has(row)) {
      unpack(row);
      texts.set(row, row.textContent.toLowerCase());
    }
    return texts.get(row);
  };
  const fields = [...form.elements].filter(({ name }) => name);
  const holders = [...document.querySelectorAll('.sec, .cause, .rest')];
  const filter = () => {
    const wanted = fields.map(({ name, value }) => [name, value.trim().toLowerCase()]).filter(([, value]) => value !== '');
    const fits = (row) => wanted.every(([name, value]) => name === 'q'
      ? value.split(/\\s+/).every((word) => textOf(row).includes(word))
      : row.dataset[name].split(' ').includes(value));
    let visible = 0;
    for (const row of rows) {
      row.hidden = wanted.length > 0 && !fits(row);
      if (!row.hidden) visible += 1;
    }
    for (const holder of holders) {
      const own = holder.querySelector('.req:not([hidden])') !== null;
      holder.hidden = wanted.length > 0 && !own;
      if (holder.tagName === 'DETAILS') holder.open = wanted.length > 0 && own;
    }
    shown.textContent = wanted.length === 0 ? '' : visible + ' of ' + rows.length + ' ' + form.dataset.noun;
    return wanted;
  };
  const keep = () => {
    const state = new URLSearchParams(filter());
    history.replaceState(null, '', '#?' + state);
  };
  form.hidden = false;
  form.addEventListener('input', keep);
  form.addEventListener('reset', () => setTimeout(keep));
  form.addEventListener('submit', (event) => event.preventDefault());
  document.getElementById('unfold').addEventListener('click', () => {
    const all = rows.filter((row) => !row.hidden);
    const open = all.some((row) => !row.open);
    for (const row of all) row.open = open;
    if (open) for (const holder of holders) if (holder.tagName === 'DETAILS') holder.open = true;
  });
  const restore = () => {
    const state = new URLSearchParams(location.hash.slice(2));
    for (const field of fields) field.value = state.get(field.name) ?? '';
    filter();
  };
  const reveal = () => {
    if (location.hash.startsWith('#?')) return restore();
    let id = location.hash.slice(1);
    try { id = decodeURIComponent(id); } catch {}
    const target = id === '' ? null : document.getElementById(id);
    if (!target) return;
    if (target.closest('[hidden]')) { for (const field of fields) field.value = ''; filter(); }
    if (target.className === 'x') unpack(target);
    for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    target.scrollIntoView();
  };
  addEventListener('hashchange', reveal);
  reveal();
  const copy = async (pre, button) => {
    const text = pre.textContent;
    try { await navigator.clipboard.writeText(text); } catch {
      getSelection().selectAllChildren(pre);
      document.execCommand('copy');
    }
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy command'; }, 1500);
  };
  for (const pre of document.querySelectorAll('pre[data-copy]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy command';
    button.addEventListener('click', () => copy(pre, button));
    pre.before(button);
  }
})();
`;
