// Asks the model in the browser: the twin of model/formula.py. QUANTITIES and LIMITS are generated from the formulas.
// An answer is {v, s}: a value or a state. At a limit v is Infinity inside (it compares and flows on); an absence has
// v null and absorbs. A condition is true, false or null (undecided).

function ask(key, base, memo) {
  let answer = memo.get(key);
  if (answer === undefined) {
    answer = Object.hasOwn(base, key) ? base[key] : derive(QUANTITIES[key], base, memo);
    memo.set(key, answer);
  }
  return answer;
}

function derive(quantity, base, memo) {
  if (quantity.by) {
    const choice = ask(quantity.by, base, memo);
    return choice.s ? { v: null, s: choice.s } : derive(quantity.to[choice.w], base, memo);
  }
  const inputs = quantity.i.map(key => ask(key, base, memo));
  const absent = inputs.find(input => input.s && !LIMITS.includes(input.s));
  if (absent) return { v: null, s: absent.s };
  const values = inputs.map(input => input.v);
  const guard = (quantity.g || []).find(([holds]) => holds(...values));
  if (guard) return limited(guard[1]);
  const value = quantity.f(...values);
  if (Number.isFinite(value)) return { v: value, s: null };
  const limit = inputs.find(input => input.s);
  return limited(limit ? limit.s : 'unknown');
}

function limited(state) {
  return { v: LIMITS.includes(state) ? Infinity : null, s: state };
}

// What the page's own script is written in: questions, constants, arithmetic, comparisons.
const k = (value, state) => state ? limited(state) : { v: value, s: null };

function op(sign, left, right) {
  const absent = [left, right].find(side => side.v === null);
  if (absent) return { v: null, s: absent.s };
  const value = { '+': (x, y) => x + y, '-': (x, y) => x - y, '*': (x, y) => x * y, '/': (x, y) => y === 0 ? NaN : x / y }[sign](left.v, right.v);
  if (Number.isFinite(value)) return { v: value, s: null };
  return limited(value === Infinity && (left.s || right.s) || 'unknown');
}

const compared = holds => (left, right) => left.v === null || right.v === null ? null : holds(left.v, right.v);
const lt = compared((x, y) => x < y), le = compared((x, y) => x <= y);
const gt = compared((x, y) => x > y), ge = compared((x, y) => x >= y);
const and = (...parts) => parts.includes(false) ? false : parts.includes(null) ? null : true;
const or = (...parts) => parts.includes(true) ? true : parts.includes(null) ? null : false;
const not = part => part === null ? null : !part;
