// How far an answer can be off, and whether a claim keeps its verdict, while the inputs go through their ranges; the twin
// of report/points.py, spread.py and robust.py. It stands behind records.js in card-data.js, in one scope with it.

// --- how far an answer can be off

const COLUMNS = new Map();
function along(dimension) {
  if (!COLUMNS.has(dimension)) {
    const [start, ...steps] = DATA.net[dimension % DATA.net.length].match(/../g).map(byte => parseInt(byte, 16));
    const heights = DATA.heights.map((_, draw) => DATA.heights[steps.reduce((place, step, bit) => draw >> bit & 1 ? place ^ step : place, start)]);
    COLUMNS.set(dimension, dimension < DATA.net.length ? heights : heights.reverse());
  }
  return COLUMNS.get(dimension);
}

function drawn(value, [low, high], height) {
  if (low > 0) return height > 0 ? value * (high / value) ** height : value * (low / value) ** -height;
  return height > 0 ? value + (high - value) * height : value - (low - value) * height;
}

// Each uncertain number among some inputs once, with the first place where it stands.
function spotsOf(inputs) {
  const found = new Map();
  inputs.forEach((input, place) => { if (input.spot && !found.has(input.spot)) found.set(input.spot, { ...input, place }); });
  return [...found.values()];
}

const draws = (ask, spots) => DATA.heights.map((_, draw) => ask(new Map(spots.map(({ spot, v, range }, place) => [spot, drawn(v, range, along(place)[draw])]))));

function quantile(ordered, share) {
  const place = Math.min(Math.max(share * ordered.length - 0.5, 0), ordered.length - 1), under = Math.floor(place);
  const low = ordered[under], high = ordered[Math.min(under + 1, ordered.length - 1)];
  return low === high || place === under ? low : low + (high - low) * (place - under);
}

function width(value, ends, factors) {
  if (ends.some(({ v }) => v === null || v === Infinity)) return Infinity;
  const numbers = [value, ...ends.map(({ v }) => v)], low = Math.min(...numbers), high = Math.max(...numbers);
  return Number((factors ? Math.log(high / low) : high - low).toPrecision(9));  // alike in both languages
}

function spreadOf(tree, reader, value, inputs) {
  const { value: ask } = asker([tree], reader);
  const swings = spotsOf(inputs).map(one => ({ ...one, ends: one.range.map(to => ask(tree, new Map([[one.spot, to]]))) }));
  const factors = value > 0 && swings.every(({ ends }) => ends.every(({ v }) => v === null || v > 0));
  for (const swing of swings) swing.width = width(value, swing.ends, factors);
  const moving = swings.filter(swing => swing.width > 1e-9 * (factors ? 1 : Math.abs(value)));
  if (!moving.length) return null;
  const answers = draws(moved => ask(tree, moved), moving), numbers = answers.map(({ v }) => v).filter(v => v !== null).sort((x, y) => x - y);
  const ends = moving.flatMap(swing => swing.ends), known = ends.map(({ v }) => v).filter(v => v !== null);
  const middle = moving.length > 1 && numbers.length ? [quantile(numbers, DATA.tail), quantile(numbers, 1 - DATA.tail)] : [];
  const gone = goneOf(ends, answers), low = Math.min(value, ...known, ...middle), high = Math.max(value, ...known, ...middle);
  const state = high === Infinity ? gone.find(([name]) => model.LIMITS.includes(name))[0] : null;
  return { low, high: state ? null : high, state, gone, swings: moving.sort((x, y) => y.width > x.width ? 1 : y.width < x.width ? -1 : 0) };
}

// A quantity on a reader's scenario, how it is written, and how far its inputs move it: what a figure draws of a card.
function rangesOf(key, reader) {
  const tree = ['q', key, {}, 1, ''], inputs = new Map(), answer = valueOf(tree, reader);
  rest(tree, reader, false, new Map(), inputs);
  return { ...answer, label: labelOf(unitOf(tree)), spread: answer.s ? null : spreadOf(tree, reader, answer.v, [...inputs.values()]) };
}

// The states that an answer can get into, each with the share of the draws that are in it.
function goneOf(ends, answers) {
  const share = state => answers.filter(({ s }) => s === state).length / answers.length;
  const names = [...new Set(ends.map(({ s }) => s))].filter(Boolean), order = Object.keys(model.STATES);
  const others = [...new Set(answers.map(({ s }) => s))].filter(s => s && !names.includes(s)).sort((x, y) => order.indexOf(x) - order.indexOf(y));
  return [...names, ...others].map(state => [state, share(state)]);
}

// In what share of the draws a number without a value has one.
function otherwise(tree, reader, inputs) {
  const spots = spotsOf(inputs), { value: ask } = asker([tree], reader);
  return spots.length ? draws(moved => ask(tree, moved), spots).filter(({ s }) => !s).length / DATA.heights.length : 0;
}

// --- whether a verdict stands while the inputs go through their ranges

const STEPS = 64, ROUNDS = 3;

function robust(condition, reader, inputs) {
  const spots = spotsOf(inputs), ask = asker(sidesOf(condition), reader);
  if (!spots.length) return { over: 'exact', flips: [], share: 0 };
  const verdict = ask.holds(condition), turned = moved => ask.holds(condition, moved) !== verdict;
  const flips = spots.flatMap(one => one.range.map((to, at) => turned(new Map([[one.spot, to]])) ? flip(one, at ? 1 : -1, turned) : null)).filter(Boolean);
  if (!flips.length && !corners(condition, spots, ask).some(turned)) return { over: 'holds', flips, share: 0 };
  const share = draws(turned, spots).filter(Boolean).length / DATA.heights.length;
  return { over: flips.length ? 'flips' : 'together', flips: flips.sort((x, y) => x.part - y.part), share };
}

// The nearest place on the way to an end of its range where an input alone turns the verdict.
function flip(one, way, turned) {
  const at = part => drawn(one.v, one.range, way * part);
  let nearest = 0;
  for (let depth = 1; depth <= ROUNDS; depth++) {
    const size = STEPS ** -depth;
    let step = 1;
    while (step < STEPS && !turned(new Map([[one.spot, at(nearest + step * size)]]))) step++;
    nearest += (step - 1) * size;
  }
  const part = nearest + STEPS ** -ROUNDS;
  return { ...one, part, to: at(part) };
}

// All inputs at the ends that are worst, and at those that are best, for each comparison in turn.
function corners(condition, spots, ask) {
  return compares(condition).flatMap(([sign, ...sides]) => {
    const slack = ({ spot }, to) => slackOf(sign, ...sides.map(side => ask.value(side, new Map([[spot, to]])).v));
    const falls = spots.map(one => slack(one, one.range[0]) < slack(one, one.range[1]));
    return [0, 1].map(best => new Map(spots.map(({ spot, range }, at) => [spot, range[falls[at] ? best : 1 - best]])));
  });
}

function slackOf(sign, left, right) {
  if (left === null || right === null) return -2;
  const larger = Math.max(Math.abs(left), Math.abs(right)), apart = left === right ? 0 : larger === Infinity ? Math.sign(left - right) : (left - right) / larger;
  return sign[0] === '>' ? apart : -apart;
}
