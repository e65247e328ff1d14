// How a number becomes text; the twin of report/rounding.py, which states the conventions. Works on decimal digits
// of the exact value and moves the decimal point, so that both sides print the same. Plain functions, no globals read.
const NBSP = '\u00a0', PREFIXES = ['f', 'p', 'n', 'µ', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const SCALES = [[12, 'trillion'], [9, 'billion'], [6, 'million']];
const CLOCK = [[63072000, 31536000, 'years'], [172800, 86400, 'days'], [7200, 3600, 'h'], [120, 60, 'min']];

// Trailing zeros stay only where they tell something: that the value lies near, and not on, the rounded number.
function digitsOf(value, n) {
  if (value === 0) return ['0', 0];
  const size = Math.abs(value), rounded = size.toExponential(n === null ? undefined : n - 1), [mantissa, exponent] = rounded.split('e');
  const digits = mantissa.replace('.', ''), exact = Math.abs(size - Number(rounded)) <= 1e-9 * size;
  return [exact ? digits.replace(/0+$/, '') : digits, Number(exponent)];
}

function point(digits, exponent) {
  if (exponent < 0) return '0.' + '0'.repeat(-exponent - 1) + digits;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0'), part = digits.slice(exponent + 1);
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (part ? '.' + part : '');
}

function power(digits, exponent) {
  const raised = String(exponent).replace(/./g, mark => mark === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[mark]);
  return point(digits, 0) + NBSP + '×' + NBSP + '10' + raised;
}

function lay([digits, exponent], wordsFrom) {
  if (exponent >= 15 || exponent < -4) return power(digits, exponent);
  for (const [scale, word] of SCALES) {
    if (exponent >= Math.max(scale, wordsFrom)) return point(digits, exponent - scale) + NBSP + word;
  }
  return point(digits, exponent);
}

function signed(value, text) {
  return value < 0 && /[1-9]/.test(text) ? '\u2212' + text : text;
}

function sig(value, n) {
  return signed(value, lay(digitsOf(value, n), 6));
}

function percent(value, n) {
  const [digits, exponent] = digitsOf(value, n);
  return signed(value, lay([digits, value ? exponent + 2 : 0], 6) + '%');
}

function count(value, n, [one, many]) {
  if (Math.abs(value) < 0.01) value = 0;
  if (Math.abs(value) < 9.5 && !Number.isInteger(value)) n = Math.min(n ?? 2, 2);
  else if (n !== null && Math.abs(value) < 10 ** (n - 1)) n = null;
  const text = n === null ? lay(digitsOf(Math.round(Math.abs(value)), null), 15) : lay(digitsOf(value, n), 6);
  return signed(value, text) + NBSP + (text === '1' ? one : many);
}

// How many whole things a limit leaves room for.
function upto(value, n, label) {
  return count(Math.floor(value * (1 + 1e-9)), n, label);
}

function exact(value) {
  return signed(value, lay(digitsOf(value, null), 15));
}

function clock(value, n) {
  const [, length, word] = CLOCK.find(([least]) => Math.abs(value) >= least);
  return lay(digitsOf(value / length, n), 6) + NBSP + word;
}

function qty(value, n, [one, many, low, high]) {
  if (one === 's' && Math.abs(value) >= 120) return signed(value, clock(value, n));
  const [digits, exponent] = digitsOf(value, n);
  const step = value ? Math.min(Math.max(Math.floor(exponent / 3), low), high) : 0;
  let text, unit = PREFIXES[5 + step] + one;
  if (low === high) {
    text = lay([digits, exponent], 6);
    unit = text === '1' ? one : many;
  } else if (exponent - 3 * step > 3 || exponent - 3 * step < -1) {
    [text, unit] = [power(digits, exponent), one];
  } else {
    text = point(digits, exponent - 3 * step);
  }
  return signed(value, text + (unit ? NBSP + unit : ''));
}

// A value with its unit as a card states it; in a formula the unit stands only where it takes a prefix.
function amount(value, label, n = 4) {
  if (label[2] === label[3] && Number.isInteger(value) && Math.abs(value) < 1e6) return count(value, null, label).trim();
  return qty(value, n, label).replace(/(\.\d*?)0+(?!\d)/, '$1').replace(/\.(?!\d)/, '');
}

function bare(value, label, n = 4) {
  return amount(value, label[2] === label[3] ? ['', '', 0, 0] : label, n);
}

// The number that bare() writes: what a reader who takes the formula at its word reckons with.
function held(value, label, n) {
  if (!Number.isFinite(value) || label[2] === label[3] && Number.isInteger(value) && Math.abs(value) < 1e6) return value;
  return Number(value.toExponential(n - 1));
}

// One entry for a number of the page: [filter, digits or null, label or null] and its value.
function format(filter, n, label, value) {
  return {sig, percent, count, upto, exact, qty}[filter](value, n, label);
}
