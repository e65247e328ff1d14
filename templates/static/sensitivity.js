// What matters most, for the reader's own scenario: asks the page's card data for the ranges of the four numbers, and
// shows them in the figure, its words and its table. The twin of report/figures/sensitivity.py, from where the build puts
// what numbers and inputs are called into WORDS, before this file.
globalThis.sensitivity = (() => {
  'use strict';
  const root = document.getElementById('fig-sensitivity');
  const MOST = 5, KEY = 1.7, HEAD = 1, GAP = 0.5, LEAST = 1.25, FAR = 4, ROOM = 1.05, ENDLESS = 1.4;
  const five = x => Number(x.toPrecision(5));
  let moved = false, turn = 0;

  // What the figure is told on a scenario, as report/figures/sensitivity.py tells it.
  function rows(data, settings) {
    const heads = [], bars = [], counted = model.baseOf(settings).family.w === 'counted';
    let at = KEY;
    for (const [key, name] of Object.entries(WORDS.numbers)) {
      const found = data.rangesOf(key, settings), share = WORDS.shares.includes(key);
      const head = found.s ? model.STATES[found.s] : share ? model.percent(found.v, 3) : model.amount(found.v, found.label, 3);
      const group = found.s || !found.spread ? [] : barsOf(found, share);
      const said = `${name}, ${head}`;
      heads.push({ text: counted ? said.replace('Token', 'Example').replace('token', 'example') : said, at, bars: group.length });
      group.forEach((bar, place) => bars.push({ ...bar, at: at + HEAD + place }));
      at += HEAD + group.length + GAP;
    }
    return { heads, bars, rows: at, ...scale(bars.flatMap(({ low, high }) => [low, high])) };
  }

  // A word for the millions, or a unit, that both ends have is said once.
  function between(low, high) {
    const [number, ...word] = low.split('\u00a0');
    return `${word.length && high.endsWith(['', ...word].join('\u00a0')) ? number : low} to ${high}`;
  }

  function barsOf({ v, label, spread: { low, high, state, swings } }, share) {
    const factor = end => end.v === null || end.v === Infinity ? null : five(end.v / v);
    const text = end => end.v === null || end.v === Infinity ? model.LIMITS.includes(end.s) ? '∞' : '–' : share ? model.percent(end.v, 3) : model.bare(end.v, label, 3);
    const bar = ([name, kind], ends) => ({ name, low: factor(ends[0]), high: factor(ends[1]), text: between(...ends.map(text)), kind, ends: ends.map(text) });
    const all = bar(WORDS.all, [{ v: low, s: null }, { v: high, s: state }]);
    return [all, ...swings.slice(0, MOST).map(({ key, ends }) => bar(WORDS.inputs[key] ?? [key, 'all'], ends))];
  }

  function scale(factors) {
    const known = [1, ...factors.filter(factor => factor !== null)], room = factors.includes(null) ? ENDLESS : ROOM;
    const low = Math.max(Math.min(...known) / ROOM, 1 / FAR), high = Math.min(Math.max(...known) * room, FAR);
    return { from: five(Math.min(low, 1 / LEAST)), to: five(Math.max(high, LEAST)) };
  }

  const groupsOf = ({ heads, bars }) => heads.map(({ text, at }, i) => [text, bars.filter(bar => bar.at > at && bar.at < (heads[i + 1]?.at ?? Infinity))]);

  function says(found) {
    const sentence = ([head, bars]) => bars.length ? `${head}: ${bars.slice(0, 3).map(({ name, text }) => `${name} ${text}`).join('; ')}.` : `${head}.`;
    return groupsOf(found).map(sentence).join(' ');
  }

  function show(found) {
    const told = Object.fromEntries(Object.entries(found).map(([name, value]) => [`sensitivity_${name}`, value]));
    globalThis.figures.state('sensitivity', told);
    root.querySelector('.summary').textContent = says(found);
    const body = root.querySelector('.in-words tbody');
    const cells = groupsOf(found).flatMap(([head, bars]) => {
      const [number, said] = head.split(/, (.*)/);
      if (bars.length) return bars.map(({ name, ends }) => [number, name, ...ends]);
      return [/^\d/.test(said) ? [number, 'none moves it', said, said] : [number, said, '\u2013', '\u2013']];
    });
    body.replaceChildren(...cells.map(texts => {
      const row = document.createElement('tr');
      row.append(...texts.map(text => Object.assign(document.createElement('td'), { textContent: text })));
      return row;
    }));
  }

  // Ranges take some hundred questions each: they wait until the sentences are on the page.
  function follow(settings) {
    moved ||= Object.keys(settings).length > 0;
    if (!moved) return;
    clearTimeout(turn);
    turn = setTimeout(() => cards.load().then(data => show(rows(data, settings))));
  }

  if (root) {
    document.addEventListener('scenario', ({ detail: { settings } }) => follow(settings));
    follow(scenario.get());
  }
  return { rows, says };
})();
