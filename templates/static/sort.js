// A table marked `sorts` can be ordered by any column: each heading becomes a button, and says by aria-sort how the
// rows stand. Numbers go by size, largest first, words by the alphabet; rows without a value come last either way.
(() => {
  'use strict';
  const NUMBER = /^[+-]?[\d,]*\.?\d+/;

  function valueOf(row, column) {
    const cell = row.cells[column], text = cell.querySelector('abbr') ? '' : cell.textContent.trim();
    const found = NUMBER.exec(text);
    return found ? Number(found[0].replaceAll(',', '')) : text;
  }

  // A column is of numbers where most of its cells begin with one.
  function numeric(rows, column) {
    return rows.filter(row => typeof valueOf(row, column) === 'number').length * 2 > rows.length;
  }

  function compare(one, other, falling) {
    if (one === '' || other === '') return (one === '') - (other === '');
    const order = typeof one === 'number' && typeof other === 'number' ? one - other
      : String(one).localeCompare(String(other), 'en', { numeric: true });
    return falling ? -order : order;
  }

  function sort(table, column, falling) {
    const body = table.tBodies[0], rows = [...body.rows];
    const keyed = rows.map((row, place) => ({ row, place, value: valueOf(row, column) }));
    keyed.sort((one, other) => compare(one.value, other.value, falling) || one.place - other.place);
    body.append(...keyed.map(({ row }) => row));
  }

  function arm(table) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'sort';
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener('click', () => {
        const before = head.getAttribute('aria-sort'), first = numeric([...table.tBodies[0].rows], column);
        const falling = before ? before === 'ascending' : first;
        heads.forEach(other => other.removeAttribute('aria-sort'));
        head.setAttribute('aria-sort', falling ? 'descending' : 'ascending');
        sort(table, column, falling);
      });
    });
  }

  document.querySelectorAll('.table.sorts table').forEach(arm);
})();
