// What the card of a number holds: what it is, its formula with symbols and values, its range and what moves it, the
// formulas under it, what it rests on, and where else it stands. The records come from the page's card data (records.js).
//
//   numberCard(n, asker, settings, sheet)   the n-th number of the page; sheet: the address of the page of numbers
globalThis.numberCard = (() => {
  'use strict';
  const { make, maths, link, draw, named, capital } = elements;

  function parts(n, asker, settings, sheet) {
    const { anchor, tree, places } = globalThis.cardData.ENTRIES.get(n), found = globalThis.cardData.numberCard(tree, settings);
    const lives = found.live ? 'Follows the machine, network and batch that you choose.'
      : found.scope ? `Stays at ${found.scope}, whatever you choose.` : 'Stays, whatever you choose.';
    return {
      title: capital(found.title), tone: asker,
      parts: [make('p', 'card-scope', lives), ...formula(found), ...range(found), ...steps(found), ...inputs(found), also(places, asker),
        make('p', 'card-more', link(`${sheet}#${anchor}`, 'Its whole trace'))],
    };
  }

  function formula(found) {
    const [own] = found.steps;
    if (!own) return [make('p', 'card-value', make('strong', '', found.text))];
    const equal = '<mo>=</mo>', value = make('span', 'card-input', '= ', make('strong', '', found.text));
    return [make('div', 'card-formula', maths(own.symbol ? own.symbol + equal + own.right : own.right), ' ', maths(`<mrow></mrow>${equal}${own.filled}`), ' ', value)];
  }

  function range({ spread, inputs, otherwise }) {
    if (!spread) return otherwise ? [make('p', 'card-range', `In ${otherwise} of the draws over the ranges of its inputs it has a value.`)] : [];
    const { low, high, gone, swings, more, bars } = spread;
    const lost = gone.map(({ says, share }) => ` ${share ? `In ${share} of the draws` : 'At one end of a range'}: ${says}.`);
    const text = make('p', 'card-range', high ? `From ${low} to ${high}.` : `From ${low} up, without end.`, ...lost);
    if (inputs.length < 2) return [text];
    text.append(swings.length > 1 ? ' Each input alone, at its low end (hollow) and high end:' : ' What moves it, at its low end (hollow) and high end:');
    return [text, make('dl', 'card-swings', ...swings.map((swing, at) => make('div', '',
      make('dt', '', named(swing), swing.label ? ` ${swing.label}` : ''), make('dd', 'card-bar', bar(bars.ends[at], bars.value)), make('dd', '', `${swing.low} to ${swing.high}`)))),
    more ? make('p', 'card-scope', `and ${more} more`) : null];
  }

  // How far an input moves the answer: hollow towards its low end, filled towards its high end. The texts say it too.
  function bar(ends, value) {
    const svg = draw('svg', { viewBox: '0 0 100 12', preserveAspectRatio: 'none', 'aria-hidden': 'true' });
    svg.append(...ends.map((end, at) => draw('rect', { class: at ? 'to-high' : 'to-low', x: 1 + 98 * Math.min(end, value), width: 98 * Math.abs(end - value), y: 3, height: 6 })));
    svg.append(draw('path', { d: `M${(1 + 98 * value).toFixed(2)} 0v12` }));
    return svg;
  }

  // The formulas that the number's own calls for; deeper ones are in its trace.
  function steps({ steps: [own, ...rest] }) {
    const called = rest.filter(step => own.inputs.includes(step.key));
    if (!called.length) return [];
    return [make('dl', 'card-rows', ...called.map(step => make('div', '',
      make('dt', '', maths(step.symbol), step.label ? ` (${step.label})` : ''),
      make('dd', '', step.text, make('span', 'card-source', maths(`<mo>=</mo>${step.right}`))))))];
  }

  // Inputs that rest on the same row and sources stand together.
  function inputs(found) {
    const groups = new Map();
    for (const input of found.inputs) {
      if (input.v === null && ['choice', 'default'].includes(input.status)) continue;  // which formula holds: seen above
      const name = JSON.stringify([input.row, input.status, input.sources, input.label]);
      groups.set(name, [...(groups.get(name) || []), input]);
    }
    return [...groups.values()].map(parts => group(parts, found.inputs.length === 1 && !found.steps.length));
  }

  function group(parts, alone) {
    const [{ row, label, status, sources }] = parts, notes = [...new Set(parts.map(part => part.note).filter(Boolean))];
    const values = alone ? [] : parts.flatMap((part, at) => [at ? ', ' : '', make('span', 'card-input', part.symbol ? maths(part.symbol) : '', part.symbol ? '\u00a0' : '', part.text)]);
    const about = [status, label || row].filter(Boolean).join(' · ');
    const cited = sources.flatMap(([title, url], at) => [at ? '; ' : about ? ': ' : '', url ? link(url, title) : title]);
    return make('p', 'card-inputs', ...values, make('span', 'card-source', about, ...cited, notes.length ? `. ${capital(notes.join('. '))}` : ''));
  }

  // Where else on the page the same is printed, once for each section and each way of writing it.
  function also(places, asker) {
    const found = new Map();
    for (const n of places) {
      const other = document.getElementById(`n${n}`);
      if (!other || other === asker || other.closest('[hidden]')) continue;
      const section = sectionOf(other), name = `${section}|${other.textContent}`;
      if (!found.has(name)) found.set(name, [other, section]);
    }
    if (!found.size) return null;
    const links = [...found.values()].slice(0, 6).flatMap(([other, section], at) => [at ? ', ' : '', link(`#${other.id}`, other.textContent), section ? ` in “${section}”` : '']);
    return make('p', 'card-also', 'Also ', ...links, '.');
  }

  function sectionOf(element) {
    const before = [...document.querySelectorAll('main h2[id], main h3[id]')].filter(heading => heading.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING);
    return before.length ? before[before.length - 1].textContent : '';
  }

  return parts;
})();
