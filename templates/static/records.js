// What a card says, as plain records; the twin of report/cards.py and report/spread.py. DATA comes before this file in
// card-data.js: formulas as MathML, meanings, and the status and sources of every number that a reader can choose.
//
// A number is a tree: ["q", key, given, live, scope], ["op", sign, left, right, unit], ["row", path, value, text, title,
// fact, unit] or ["k", value, text]. A condition is ["<", left, right], ["and", ...], ["or", ...] or ["not", part].
// Each thing that is asked: the address of its entry, its tree, its places on the page (n12 is 12).
const ENTRIES = new Map(DATA.numbers.flatMap(([anchor, tree, places]) => places.map(n => [String(n), { anchor, tree, places }])));
const SIGNS = { '*': '×', '/': '/', '+': '+', '-': '−' }, ROOTS = { '/': 'A ratio', '*': 'A product', '+': 'A sum', '-': 'A difference' };
const escaped = text => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const labelOf = unit => DATA.labels[unit] || ['', '', 0, 0];
const said = (answer, unit) => answer.w ?? (answer.s ? model.STATES[answer.s] : model.amount(answer.v, labelOf(unit)));
const put = (answer, unit) => !answer.s ? model.bare(answer.v, labelOf(unit)) : model.LIMITS.includes(answer.s) ? '∞' : '?';

function unitOf(tree) {
  return tree[0] === 'q' ? DATA.quantities[tree[1]].u : tree[0] === 'op' ? tree[4] : tree[0] === 'row' ? tree[6] : '';
}

// --- what a number is asked on, and what it comes to; reader: the reader's settings

const baseOf = (tree, reader) => model.baseOf(tree[3] ? model.over(reader, tree[2]) : tree[2]);

function valueOf(tree, reader, moved = null, to = null) {
  if (tree[0] === 'op') return model.op(tree[1], valueOf(tree[2], reader, moved, to), valueOf(tree[3], reader, moved, to));
  if (tree[0] === 'row') return moved?.key === tree[1] ? { v: to, s: null } : model.k(tree[2], tree[2] === null ? 'unknown' : null);
  if (tree[0] === 'k') return model.k(tree[1], null);
  const base = baseOf(tree, reader), leaf = moved && base[moved.key];
  if (leaf && leaf.v === moved.v && factOf(leaf) === moved.fact) base[moved.key] = { v: to, s: null };
  return model.ask(tree[1], base, new Map());
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

function inputOf(key, label, symbol, says, text, v, fact) {
  const [status, row, sources, , note] = fact;
  return { key, label, symbol, says, text, v, fact, status, row: DATA.names[row] || '', sources: sources.map(one => DATA.sources[one]), note, range: rangeOf(v, fact) };
}

// --- the trace

function trace(key, label, base, memo, steps, inputs) {
  const { u, w, m } = DATA.quantities[key], answer = model.ask(key, base, memo), text = said(answer, u);
  if (Object.hasOwn(base, key)) {
    const found = inputOf(key, label, m, w, text, answer.v, factOf(base[key])), name = [key, text, found.row, found.status].join('|');
    if (!inputs.has(name)) inputs.set(name, found);
    return;
  }
  const name = [key, text, label].join('|');
  if (steps.has(name)) return;
  const { formula, choices } = chosen(DATA.quantities[key], base, memo);
  if (formula) {
    const filled = fill(formula.f, part => put(model.ask(part, base, memo), DATA.quantities[part].u));
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

// --- how far an answer can be off

function spread(value, ends) {
  const readings = ends.flatMap(({ low, high }) => [low, high]);
  const factors = value > 0 && readings.every(({ v }) => v === null || v > 0);
  const shifts = ends.map(({ name, low, high }) => {
    const moved = [0, ...[low, high].filter(({ v }) => v !== null).map(({ v }) => factors ? Math.log(v / value) : v - value)];
    return { name, down: Math.min(...moved), up: Math.max(...moved) };
  });
  const widest = shifts.reduce((most, part) => part.up - part.down > most.up - most.down ? part : most, { name: '', down: 0, up: 0 });
  const gone = ends.find(({ low, high }) => low.v === null || high.v === null), lost = gone ? [gone.low, gone.high].find(({ v }) => v === null).s : null;
  if (widest.up === widest.down) return gone ? { low: value, high: value, main: gone.name, state: null, lost } : null;
  const down = Math.sqrt(shifts.reduce((sum, part) => sum + part.down ** 2, 0)), up = Math.sqrt(shifts.reduce((sum, part) => sum + part.up ** 2, 0));
  const low = factors ? value * Math.exp(-down) : value - down;
  if (up === Infinity) return { low, high: null, main: widest.name, state: readings.find(({ v }) => v === Infinity).s, lost };
  return { low, high: factors ? value * Math.exp(up) : value + up, main: widest.name, state: null, lost };
}

function spreadOf(tree, reader, value, inputs) {
  const ranged = inputs.filter(({ range }) => range);
  return spread(value, ranged.map(input => {
    const [low, high] = input.range.map(to => valueOf(tree, reader, input, to));
    return { name: input.key, low, high };
  }));
}

// --- the records

function numberCard(tree, reader) {
  const steps = new Map(), inputs = new Map(), unit = unitOf(tree), answer = valueOf(tree, reader), text = said(answer, unit);
  if (tree[0] === 'op') {
    const filled = expression(tree, part => `<mn>${escaped(put(valueOf(part, reader), unitOf(part)))}</mn>`);
    steps.set('', { key: '', label: '', symbol: '', says: '', right: expression(tree, symbolOf), filled, text, inputs: partsOf(tree).map(part => part[1]) });
  }
  for (const part of partsOf(tree)) {
    if (part[0] === 'row') inputs.set(part[1], inputOf(part[1], '', '', part[4], part[3], part[2], DATA.facts[part[5]]));
    else if (part[0] === 'q') trace(part[1], tree[0] === 'op' ? part[4] : '', baseOf(part, reader), new Map(), steps, inputs);
  }
  const title = tree[0] === 'q' ? DATA.quantities[tree[1]].w : tree[0] === 'op' ? ROOTS[tree[1]] : tree[0] === 'row' ? tree[4] : 'A number';
  const rests = [...inputs.values()];
  return { title, text, unit, steps: [...steps.values()], inputs: rests, live: partsOf(tree).some(part => part[3] === 1),
    scope: tree[0] === 'q' ? tree[4] : '', spread: answer.s ? null : inWords(spreadOf(tree, reader, answer.v, rests), labelOf(unit)) };
}

function inWords(found, label) {
  if (!found) return null;
  const { low, high, state, lost, main } = found;
  return { low: model.bare(low, label, 3), high: high === null ? model.STATES[state] : model.amount(high, label, 3), lost: lost ? model.STATES[lost] : '', main };
}

const HELD = { '<': model.lt, '<=': model.le, '>': model.gt, '>=': model.ge };

function holds(condition, reader) {
  const [sign, ...parts] = condition;
  if (HELD[sign]) return HELD[sign](...parts.map(part => valueOf(part, reader)));
  return model[sign](...parts.map(part => holds(part, reader)));
}

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
  const values = parts.map(part => said(valueOf(part, reader), unit)), symbols = parts.map(part => expression(part, symbolOf));
  return [{ joint, left: symbols[0], right: `<mo>${mark}</mo>${symbols[1]}`, values, sign: { '<=': '≤', '>=': '≥' }[sign] || sign }];
}

const follows = part => Array.isArray(part) && (part[0] === 'q' ? part[3] === 1 : part.some(follows));

function claimCard(condition, reader) {
  return { lines: comparisons(condition, reader), holds: holds(condition, reader), margin: margin(condition, reader), live: follows(condition) };
}
