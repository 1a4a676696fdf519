import { verdicts, verdictText } from '../wording.ts';
import { letterOf } from './runs.ts';

/** Verdict, and words of it, by the letter that the data has for it. */
const words = JSON.stringify(
  Object.fromEntries(verdicts.map((verdict) => [letterOf(verdict), [verdict, verdictText(verdict)]])),
);

/** Search and comparison of the index, kept in the address. Texts of targets are only ever set as text. */
export const siteScript = `'use strict';
(() => {
  const { runs, requirements, observations, values } = JSON.parse(document.getElementById('report-core').textContent);
  const words = ${words};
  const [mostResults, mostRuns] = [40, 8];
  const find = (id) => document.getElementById(id);
  const make = (tag, attributes, ...content) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...content);
    return element;
  };
  const prose = (text) => {
    const parts = text.split('\`');
    return parts.map((part, at) => at % 2 === 0 ? part : at === parts.length - 1 ? '\`' + part : make('code', {}, part));
  };
  const field = make('input', { type: 'search', id: 'q', name: 'q', autocomplete: 'off' });
  const form = make('form', { id: 'search', role: 'search' },
    make('label', { for: 'q' }, 'Search runs, requirements and observed behaviour ', field), make('output', { id: 'hits', for: 'q', 'aria-live': 'polite' }));
  document.querySelector('.mast').append(form, make('ul', { id: 'results' }));
  const button = make('button', { type: 'button', id: 'compare' }, 'Compare the chosen runs');
  document.querySelector('#all-runs').append(make('p', { class: 'acts' }, button));
  const compared = make('div', { id: 'compared' });
  find('comparison').tabIndex = -1;
  find('comparison').lastElementChild.replaceWith(compared);
  const rows = [...document.querySelectorAll('.runs tbody tr')];
  const texts = rows.map((row, at) => [...row.cells, { textContent: runs[at].id }].map((cell) => cell.textContent).join(' ').toLowerCase());
  document.querySelector('.runs thead tr').prepend(make('th', { scope: 'col' }, 'Compare'));
  const boxes = rows.map((row, at) => {
    const { id, name, time } = runs[at];
    const box = make('input', { type: 'checkbox', value: id, 'aria-label': 'Compare ' + name + ', ' + time });
    row.prepend(make('td', {}, box));
    return box;
  });
  const place = (page, anchor) => page + '#' + encodeURIComponent(anchor);
  const nameOf = ({ name, time }) => name + ', ' + time;
  const state = () => new URLSearchParams(location.hash.slice(1));
  const keep = (key, value) => {
    const next = state();
    for (const name of [...next.keys()]) if (name !== 'q' && name !== 'compare') next.delete(name);
    if (value === '') next.delete(key); else next.set(key, value);
    history.replaceState(null, '', '#' + next);
  };

  const hits = (list, terms) => list.map(([id, what], at) => [at, (id + ' ' + what).toLowerCase()])
    .filter(([, text]) => terms.every((term) => text.includes(term))).map(([at]) => at);
  const result = ([id, what, section, page], links, rest) => make('li', {},
    ...prose(what), ' ', make('code', { class: 'id' }, page ? make('a', { href: page }, id) : id), make('span', { class: 'meta' }, ' section ' + section),
    make('ul', { class: 'found' }, ...links), rest > 0 ? make('span', { class: 'meta' }, 'and ' + rest + ' more') : '');
  const requirementResult = (at) => {
    const [id] = requirements[at];
    const order = 'ficoup-';
    const own = runs.map((run) => [run, run.verdicts[at]]).filter(([, letter]) => letter !== '-')
      .sort(([, one], [, other]) => order.indexOf(one) - order.indexOf(other));
    const links = own.slice(0, mostRuns).map(([run, letter]) => make('li', {},
      make('a', { href: place(run.page, id) }, nameOf(run)), ' ', make('span', { class: 'v ' + words[letter][0] }, words[letter][1])));
    return result(requirements[at], links, own.length - links.length);
  };
  const observationResult = (at) => {
    const [id] = observations[at];
    const own = runs.filter((run) => run.seen[at] >= 0);
    const links = own.slice(0, mostRuns).map((run) => make('li', {},
      make('a', { href: place(run.page, 'o:' + id) }, nameOf(run)), ': ' + values[run.seen[at]]));
    return result(observations[at], links, own.length - links.length);
  };
  const search = (query) => {
    const terms = query.toLowerCase().split(/\\s+/).filter((term) => term !== '');
    let visible = 0;
    rows.forEach((row, at) => {
      row.hidden = !terms.every((term) => texts[at].includes(term));
      if (!row.hidden) visible += 1;
    });
    const found = terms.length === 0 ? [] : [
      ...hits(requirements, terms).map((at) => () => requirementResult(at)),
      ...hits(observations, terms).map((at) => () => observationResult(at)),
    ];
    // Where nothing of a run fits, the words are those of a requirement: the table stays.
    if (visible === 0) for (const row of rows) row.hidden = false;
    find('results').replaceChildren(...found.slice(0, mostResults).map((show) => show()));
    find('hits').textContent = terms.length === 0 ? '' :
      'Runs: ' + visible + '. Requirements and observations: ' + found.length +
      (found.length > mostResults ? ', of which ' + mostResults + ' are listed.' : '.');
  };

  const table = (label, chosen, lines) => make('div', { class: 'scroll', role: 'region', 'aria-label': label, tabindex: '0' },
    make('table', { class: 'versus' },
      make('thead', {}, make('tr', {}, make('th', { scope: 'col' }, label),
        ...chosen.map((run) => make('th', { scope: 'col' }, make('a', { href: run.page }, nameOf(run)))))),
      make('tbody', {}, ...lines)));
  const line = ([id, what], cells) => make('tr', {}, make('th', { scope: 'row' }, ...prose(what), ' ', make('code', { class: 'id' }, id)), ...cells);
  const empty = () => make('td', {}, '—');
  const differ = (list) => new Set(list).size > 1;
  const compare = (ids) => {
    const chosen = runs.filter(({ id }) => ids.includes(id));
    for (const box of boxes) box.checked = ids.includes(box.value);
    if (chosen.length < 2) {
      compared.replaceChildren(make('p', { class: 'quiet' }, 'Choose two or more runs in the table above.'));
      return;
    }
    const judged = requirements.flatMap((row, at) => {
      const own = chosen.map(({ verdicts }) => verdicts[at]);
      if (!differ(own)) return [];
      return [line(row, own.map((letter, column) => letter === '-' ? empty() :
        make('td', { class: 'cell ' + words[letter][0] }, make('a', { href: place(chosen[column].page, row[0]) }, words[letter][1]))))];
    });
    const seen = observations.flatMap((row, at) => {
      const own = chosen.map((run) => run.seen[at]);
      if (!differ(own)) return [];
      return [line(row, own.map((value, column) => value < 0 ? empty() :
        make('td', {}, make('a', { href: place(chosen[column].page, 'o:' + row[0]) }, values[value]))))];
    });
    compared.replaceChildren(
      make('p', {}, judged.length + ' of ' + requirements.length + ' requirements and ' + seen.length + ' of ' + observations.length + ' observations differ.'),
      ...(judged.length > 0 ? [table('Requirements that differ', chosen, judged)] : []),
      ...(seen.length > 0 ? [table('Observations that differ', chosen, seen)] : []));
  };

  form.addEventListener('submit', (event) => event.preventDefault());
  field.addEventListener('input', () => { keep('q', field.value); search(field.value); });
  button.addEventListener('click', () => {
    const ids = boxes.filter((box) => box.checked).map((box) => box.value);
    keep('compare', ids.join(','));
    compare(ids);
    find('comparison').focus();
    find('comparison').scrollIntoView();
  });
  const restore = () => {
    const now = state();
    field.value = now.get('q') ?? '';
    search(field.value);
    compare((now.get('compare') ?? '').split(','));
  };
  addEventListener('hashchange', restore);
  restore();
})();
`;
