/** What the document does when scripts run: filters, copying, and opening what a link leads to. */
export const script = `'use strict';
(() => {
  const form = document.getElementById('filters');
  const shown = document.getElementById('shown');
  const rows = [...document.querySelectorAll('.req')];
  const keys = ['verdict', 'level', 'impact', 'section', 'family'];
  const filter = () => {
    const wanted = keys.map((key) => [key, form.elements[key].value]).filter(([, value]) => value !== '');
    let visible = 0;
    for (const row of rows) {
      row.hidden = !wanted.every(([key, value]) => row.dataset[key].split(' ').includes(value));
      if (!row.hidden) visible += 1;
    }
    for (const section of document.querySelectorAll('.sec')) section.hidden = !section.querySelector('.req:not([hidden])');
    shown.textContent = wanted.length === 0 ? '' : visible + ' of ' + rows.length + ' requirements';
  };
  form.hidden = false;
  form.addEventListener('change', filter);
  form.addEventListener('reset', () => setTimeout(filter));
  form.addEventListener('submit', (event) => event.preventDefault());
  document.getElementById('unfold').addEventListener('click', () => {
    const all = rows.filter((row) => !row.hidden);
    const open = all.some((row) => !row.open);
    for (const row of all) row.open = open;
  });
  const reveal = () => {
    let id = location.hash.slice(1);
    try { id = decodeURIComponent(id); } catch {}
    const target = id === '' ? null : document.getElementById(id);
    if (!target) return;
    if (target.closest('.sec [hidden], .sec[hidden]')) { form.reset(); filter(); }
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
