// A figure in words and numbers, under its picture: what it says of its own view, and tables that ask for the reader.
//
//   inWords.view(figure)            the words of the view: the parameter <figure>_says, where a figure has it
//   inWords.numbers(root, source)   the tables of an open <details>; source is {settings, question(key) -> {v, s, w}}
globalThis.inWords = (() => {
  'use strict';

  function view({ name, root, live }) {
    const said = `${name}_says`, place = root.querySelector('.summary');
    const one = Object.values(live).find(({ view: drawn, spec }) => drawn && spec.signals.some(signal => signal.name === said));
    if (!one || !place) return;
    const words = one.view.signal(said);
    if (place.textContent === words) return;
    place.textContent = words;
    scenario.tell?.(words);
  }

  function numbers(root, source) {
    if (!source || !root.querySelector('.in-words')?.open) return;
    root.querySelectorAll('table.asked').forEach(table => askedAnew(table, source));
    root.querySelectorAll('table.listed').forEach(table => yours(table, source));
  }

  // A row of a table that asks says its changes (data-given="T=64 s==d": d's own value for s), a column its key and how
  // it is written. An answer without a value says why, once in a column; so does one that holds for texts alone
  // (data-of-texts) where the reader's network has none.
  function askedAnew(table, source) {
    const [, ...columns] = table.tHead.rows[0].cells, above = [];
    for (const row of table.tBodies[0].rows) {
      const ask = asking(row.dataset.given, source);
      columns.forEach((column, i) => {
        const answer = 'ofTexts' in column.dataset && untold(source) ? { v: null, s: 'not-a-transformer' } : ask(column.dataset.ask);
        write(row.cells[i + 1], written(answer, column.dataset, above[i]));
        above[i] = answer.s;
      });
    }
  }

  const untold = ({ question }) => question('family').w === 'counted';

  function asking(given, { settings, question }) {
    const changes = given.split(' ').map(change => change.split(/=(.*)/).slice(0, 2));
    const own = value => value[0] === '=' ? String(question(value.slice(1)).v ?? '') : value;
    try {
      const base = model.baseOf(model.over(settings, Object.fromEntries(changes.map(([key, value]) => [key, own(value)]))), true), memo = new Map();
      return key => model.ask(key, base, memo);
    } catch (error) {
      if (!(error instanceof model.Refused)) throw error;
      return () => ({ v: null, s: 'unknown' });
    }
  }

  // A table that lists rows of the catalogue begins with the reader's own (<tr class="mine">): a column with a key asks
  // for it, the others say what the listed row says, which is marked. data-listed names the setting that chooses it.
  function yours(table, { settings, question }) {
    const chosen = settings[table.dataset.listed] ?? model.SCHEMA.default[table.dataset.listed];
    const [mine, ...rows] = table.tBodies[0].rows, columns = [...table.tHead.rows[0].cells];
    const listed = rows.find(row => row.dataset.id === chosen);
    for (const row of rows) {
      row.classList.toggle('yours', row === listed);
      if (row === listed) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    }
    columns.forEach((column, i) => {
      if (column.dataset.named) return;  // its name follows the reader by itself
      const { ask, way } = column.dataset, answer = ask && question(ask);
      write(mine.cells[i], !ask ? listed?.cells[i].textContent ?? '–' : way ? written(answer, column.dataset) : answer.w ?? '–');
    });
  }

  function written({ v, s }, { way, digits, label }, above) {
    if (s) return s === above ? '\u2013' : model.STATES[s];
    return model[way](v, Number(digits), label && JSON.parse(label)).trim();
  }

  function write(cell, text) {
    if (cell.textContent !== text) cell.textContent = text;
  }

  return { view, numbers };
})();
