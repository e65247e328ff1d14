// What a card says, as plain records; the twin of report/cards.py and verdicts.py. DATA is put together before this file
// in card-data.js: formulas as MathML, meanings, and the status and sources of every number that a reader can choose.
// What ranges do to a number or a claim is in ranges.js, which comes after it.
//
// A number is a tree: ["q", key, given, live, scope], ["op", sign, left, right, unit], ["row", path, value, text, title,
// fact, unit] or ["k", value, text]. A condition is ["<", left, right], ["and", ...], ["or", ...] or ["not", part].
// Each thing that is asked: the address of its entry, its tree, its places on the page (n12 is 12).
const ENTRIES = new Map(DATA.numbers.flatMap(([anchor, tree, places]) => places.map(n => [String(n), { anchor, tree, places }])));
const SIGNS = { '*': '×', '/': '/', '+': '+', '-': '−' }, ROOTS = { '/': 'A ratio', '*': 'A product', '+': 'A sum', '-': 'A difference' };
const escaped = text => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const labelOf = unit => DATA.labels[unit] || ['', '', 0, 0];
const said = (answer, unit) => answer.w ?? (answer.s ? model.STATES[answer.s] : model.amount(answer.v, labelOf(unit)));
const put = (answer, unit, n) => !answer.s ? model.bare(answer.v, labelOf(unit), n) : model.LIMITS.includes(answer.s) ? '∞' : '?';
const held = (answer, unit, n) => answer.s || answer.w !== undefined ? answer : { v: model.held(answer.v, labelOf(unit), n), s: null };
// The digits of a value inside a formula: the fewest at which the formula comes to the text that is shown for it.
const enough = (text, comesTo) => [4, 5].find(n => comesTo(n) === text) ?? 6;

function unitOf(tree) {
  return tree[0] === 'q' ? DATA.quantities[tree[1]].u : tree[0] === 'op' ? tree[4] : tree[0] === 'row' ? tree[6] : '';
}

// The text of a year, which stands as it is written: 2022, not 2,022; none of all else.
function dated(tree) {
  const text = tree[0] === 'row' && !tree[6] ? tree[3] : tree[0] === 'k' ? tree[2] : '';
  return /^\d{4}$/.test(text) ? text : '';
}

// --- what a number is asked on, and what it comes to; reader: the reader's settings

const baseOf = (tree, reader) => model.baseOf(tree[3] ? model.over(reader, tree[2]) : tree[2], true);

function valueOf(tree, reader) {
  return asker([tree], reader).value(tree);
}

// Asks the same questions again and again, some of the uncertain numbers of the catalogue moved; one that stands in
// several places moves in all of them. value(tree, moved) and holds(condition, moved) take a map of spots to values.
function asker(trees, reader) {
  const bases = new Map(), places = new Map(), memos = new Map();
  for (const part of trees.flatMap(partsOf)) {
    if (part[0] !== 'q' || bases.has(part)) continue;
    const base = baseOf(part, reader);
    bases.set(part, base);
    for (const [key, leaf] of Object.entries(base)) {
      const spot = spotOf(leaf.v, factOf(leaf));
      if (spot) places.set(spot, [...(places.get(spot) || []), [base, key, leaf]]);
    }
  }
  function value(tree, moved) {
    if (tree[0] === 'op') return model.op(tree[1], value(tree[2], moved), value(tree[3], moved));
    if (tree[0] === 'row') return model.k(moved?.get(spotOf(tree[2], DATA.facts[tree[5]])) ?? tree[2], tree[2] === null ? 'unknown' : null);
    return tree[0] === 'k' ? model.k(tree[1], null) : model.ask(tree[1], bases.get(tree), moved ? new Map() : memoOf(tree));
  }
  const memoOf = tree => memos.get(tree) || memos.set(tree, new Map()).get(tree);
  function moving(moved, run) {
    if (!moved) return run();
    const leaves = [...moved].flatMap(([spot, to]) => (places.get(spot) || []).map(place => [...place, to]));
    for (const [base, key, , to] of leaves) base[key] = { v: to, s: null };
    const found = run();
    for (const [base, key, leaf] of leaves) base[key] = leaf;
    return found;
  }
  function holds([sign, ...parts], moved) {
    return HELD[sign] ? HELD[sign](...parts.map(part => value(part, moved))) : model[sign](...parts.map(part => holds(part, moved)));
  }
  return { value: (tree, moved) => moving(moved, () => value(tree, moved)), holds: (condition, moved) => moving(moved, () => holds(condition, moved)) };
}

// --- where an input comes from

const NAMELESS = -1;
const UNSAID = { hand: ['by hand', NAMELESS, [], 0, ''], default: ['default', NAMELESS, [], 0, ''], choice: ['choice', NAMELESS, [], 0, ''],
  shape: ['default', NAMELESS, [], 0, "GPT's shape, where nothing else is said"], nowhere: ['unknown', NAMELESS, [], 0, ''] };

function factOf(leaf) {
  if (UNSAID[leaf.from]) return UNSAID[leaf.from];
  const place = leaf.from.split('/').reduce((part, key) => part?.[key], DATA.rows);
  if (DATA.facts[place]) return DATA.facts[place];
  const [kind, name] = leaf.from.split('/'), known = kind === 'machines' && DATA.facts[DATA.rows.machines[name].layer.bandwidth];
  return known ? ['unknown', known[1], [], 0, ''] : UNSAID.nowhere;  // a format that the machine lacks
}

function rangeOf(value, [status, , , range]) {
  if (typeof value !== 'number' || !range) return null;
  return range === 1 ? DATA.spread[status].map(factor => value * factor) : range;
}

// Which uncertain number of the catalogue an input is: its row, and its value.
const spotOf = (value, fact) => rangeOf(value, fact) ? `${fact[5]}|${value}` : '';

function inputOf(key, label, symbol, says, text, v, unit, fact) {
  const [status, row, sources, , note] = fact;
  return { key, label, symbol, says, text, v, unit, spot: spotOf(v, fact), status, row: DATA.names[row] || '', sources: sources.map(one => DATA.sources[one]), note, range: rangeOf(v, fact) };
}

// --- the trace

function trace(key, label, base, memo, steps, inputs) {
  const { u, w, m } = DATA.quantities[key], answer = model.ask(key, base, memo), text = said(answer, u);
  if (Object.hasOwn(base, key)) {
    const fact = factOf(base[key]), found = inputOf(key, DATA.names[fact[1]] && /^(constants|formats)\//.test(base[key].from) ? '' : label, m, w, text, answer.v, u, fact), name = [key, text, found.row, found.status, found.spot].join('|');
    if (!inputs.has(name)) inputs.set(name, found);
    return;
  }
  const name = [key, text, label].join('|');
  if (steps.has(name)) return;
  const { formula, choices } = chosen(DATA.quantities[key], base, memo);
  if (formula) {
    const shown = n => Object.fromEntries(formula.i.map(part => [part, held(model.ask(part, base, memo), DATA.quantities[part].u, n)]));
    const n = enough(text, n => said(model.ask(key, { ...base, ...shown(n) }, new Map()), u));
    const filled = fill(formula.f, part => put(model.ask(part, base, memo), DATA.quantities[part].u, n));
    steps.set(name, { key, label, symbol: m, says: w, right: formula.r, filled, text, inputs: formula.i });
  }
  for (const part of [...choices, ...(formula ? formula.i.filter(part => !formula.x?.includes(part)) : [])]) trace(part, label, base, memo, steps, inputs);
}

// The formula that holds on a scenario, and the choices that lead to it.
function chosen(entry, base, memo) {
  const choices = [];
  let formula = entry;
  while (formula?.by) {
    const choice = model.ask(formula.by, base, memo);
    choices.push(formula.by);
    formula = choice.s ? null : formula.to[choice.w];
  }
  return { formula: formula?.f ? formula : null, choices };
}

const fill = (slots, text) => slots.replace(/<mn data-k="([^"]*)"><\/mn>/g, (_, key) => `<mn>${escaped(text(key))}</mn>`);

function partsOf(tree) {
  return tree[0] === 'op' ? [...partsOf(tree[2]), ...partsOf(tree[3])] : [tree];
}

// --- an author's own calculation, in symbols or in values

function expression(tree, leaf, inner = false) {
  if (tree[0] !== 'op') return `<mrow>${leaf(tree)}</mrow>`;
  const [, sign, ...sides] = tree, texts = sides.slice(0, 2).map(side => expression(side, leaf, true));
  if (sign === '/' && !inner) return `<mfrac>${texts[0]}${texts[1]}</mfrac>`;
  const fenced = texts.map((text, at) => {
    const loose = sides[at][0] === 'op' && (sign === '/' || '+-'.includes(sides[at][1]) && '*-'.includes(sign));
    return loose ? `<mrow><mo>(</mo>${text}<mo>)</mo></mrow>` : text;
  });
  return `<mrow>${fenced[0]}<mo>${SIGNS[sign]}</mo>${fenced[1]}</mrow>`;
}

function symbolOf(tree) {
  if (tree[0] === 'row') return `<mtext>${escaped(tree[4])}</mtext>`;
  if (tree[0] !== 'q') return `<mn>${escaped(tree[2])}</mn>`;
  const { m } = DATA.quantities[tree[1]];
  return tree[4] ? `${m}<mtext>\u00a0(${escaped(tree[4])})</mtext>` : m;
}

// --- the records

function rest(part, reader, labelled, steps, inputs) {
  if (part[0] === 'row') inputs.set(part[1], inputOf(part[1], '', '', part[4], part[3], part[2], part[6], DATA.facts[part[5]]));
  else if (part[0] === 'q') trace(part[1], labelled ? part[4] : '', baseOf(part, reader), new Map(), steps, inputs);
}

function numberCard(tree, reader) {
  const steps = new Map(), inputs = new Map(), unit = unitOf(tree), answer = valueOf(tree, reader), text = dated(tree) || said(answer, unit);
  if (tree[0] === 'op') {
    const shortened = (part, n) => part[0] !== 'op' ? held(valueOf(part, reader), unitOf(part), n) : model.op(part[1], shortened(part[2], n), shortened(part[3], n));
    const n = enough(text, n => said(shortened(tree, n), unit));
    const filled = expression(tree, part => `<mn>${escaped(dated(part) || put(valueOf(part, reader), unitOf(part), n))}</mn>`);
    steps.set('', { key: '', label: '', symbol: '', says: '', right: expression(tree, symbolOf), filled, text, inputs: partsOf(tree).map(part => part[1]) });
  }
  for (const part of partsOf(tree)) rest(part, reader, tree[0] === 'op', steps, inputs);
  const title = tree[0] === 'q' ? DATA.quantities[tree[1]].w : tree[0] === 'op' ? ROOTS[tree[1]] : tree[0] === 'row' ? tree[4] : 'A number';
  const rests = [...inputs.values()], found = answer.s ? null : spreadOf(tree, reader, answer.v, rests);
  return { title, text, unit, steps: [...steps.values()], inputs: rests, live: partsOf(tree).some(part => part[3] === 1),
    scope: tree[0] === 'q' ? tree[4] : '', spread: found && { ...inWords(found, labelOf(unit)), bars: bars(found, answer.v) },
    otherwise: answer.s ? shareText(otherwise(tree, reader, rests)) : '' };
}

const MOST = 5;  // rows of a small tornado
const shareText = share => share ? model.percent(share, share < 0.095 ? 1 : 2) : '';

function inWords(found, label) {
  if (!found) return null;
  const { low, high, state, gone, swings } = found, end = ({ v, s }) => s ? model.LIMITS.includes(s) ? '∞' : '–' : model.bare(v, label, 3);
  return {
    low: model.bare(low, label, 3), high: high === null ? '' : model.amount(high, label, 3),
    gone: gone.map(([name, share]) => ({ says: model.STATES[name], share: shareText(share) })),
    swings: swings.slice(0, MOST).map(({ symbol, label: on, says, ends }) => ({ symbol, label: on, says, low: end(ends[0]), high: end(ends[1]) })),
    more: Math.max(0, swings.length - MOST),
  };
}

// Where each bar of a small tornado begins and ends, and the answer itself, from 0 to 1 on the range of all of them.
function bars({ low, high, swings }, value) {
  const ends = swings.slice(0, MOST).map(({ ends }) => ends.map(({ v }) => v)), known = [low, high ?? value, value, ...ends.flat().filter(v => v !== null && v !== Infinity)];
  const least = Math.min(...known), most = Math.max(...known), scale = least > 0 ? Math.log : x => x;
  const open = high === null || ends.flat().includes(null) ? 0.8 : 1;  // room for what has no end
  const at = v => v === null || v === Infinity ? 1 : most === least ? 0.5 : open * (scale(v) - scale(least)) / (scale(most) - scale(least));
  return { value: at(value), ends: ends.map(pair => pair.map(at)) };
}

const HELD = { '<': model.lt, '<=': model.le, '>': model.gt, '>=': model.ge };

const compares = ([sign, ...parts]) => HELD[sign] ? [[sign, ...parts]] : parts.flatMap(compares);
const sidesOf = condition => compares(condition).flatMap(([, ...sides]) => sides);
const holds = (condition, reader) => asker(sidesOf(condition), reader).holds(condition);

// How far a condition is from flipping: the distance of both sides in parts of the larger, below 0 where it is false.
function margin(condition, reader) {
  const [sign, ...parts] = condition, verdict = holds(condition, reader);
  if (verdict === null) return null;
  if (HELD[sign]) {
    const [left, right] = parts.map(part => valueOf(part, reader).v), larger = Math.max(Math.abs(left), Math.abs(right));
    const apart = left === right ? 0 : larger === Infinity ? 1 : Math.min(1, Math.abs(left - right) / larger);
    return verdict ? apart : -apart;
  }
  const found = parts.map(part => margin(part, reader)).filter(part => part !== null);
  return sign === 'not' ? -found[0] : sign === 'and' ? Math.min(...found) : Math.max(...found);
}

function comparisons(condition, reader, joint = '') {
  const [sign, ...parts] = condition;
  if (sign === 'not') return comparisons(parts[0], reader, `${joint} not`.trim());
  if (!HELD[sign]) return parts.flatMap((part, at) => comparisons(part, reader, at ? sign : joint));
  const mark = { '<': '&lt;', '<=': '≤', '>': '&gt;', '>=': '≥' }[sign];
  const [left, right] = parts, unit = unitOf(left) || unitOf(right);
  const values = parts.map(part => dated(part) || said(valueOf(part, reader), unit)), symbols = parts.map(part => expression(part, symbolOf));
  return [{ joint, left: symbols[0], right: `<mo>${mark}</mo>${symbols[1]}`, values, sign: { '<=': '≤', '>=': '≥' }[sign] || sign }];
}

const follows = part => Array.isArray(part) && (part[0] === 'q' ? part[3] === 1 : part.some(follows));

// An amount with as many digits as it takes to tell it from another one.
function told(value, other, label, written = model.amount) {
  const digits = [3, 4, 5, 6].find(digits => model.amount(value, label, digits) !== model.amount(other, label, digits));
  return written(value, label, digits ?? 6);
}

function flipInWords({ symbol, label, says, v, unit, range, to }) {
  const as = labelOf(unit);
  return { symbol, label, says, rises: to > v, to: told(to, v, as, model.bare), stands: told(v, to, as), low: model.bare(range[0], as, 3), high: model.bare(range[1], as, 3) };
}

function claimCard(condition, reader) {
  const inputs = new Map();
  for (const part of sidesOf(condition).flatMap(partsOf)) rest(part, reader, true, new Map(), inputs);
  const { over, flips, share } = robust(condition, reader, [...inputs.values()]), apart = margin(condition, reader);
  return { lines: comparisons(condition, reader), holds: holds(condition, reader), margin: apart, live: follows(condition),
    near: apart !== null && Math.abs(apart) < DATA.near, over, flips: flips.map(flipInWords), share: over === 'flips' || over === 'together' ? shareText(share) : '' };
}
