// What the reader reads with: settings by key, from a link or from the controls, and the inputs of the formulas that
// they mean. The twin of model/scenario.py; SCHEMA and LAYERS are generated from it. Settings are texts, as in a link.

// A reason that a reader is told; what he gave is quoted in it, and a long quotation is cut.
class Refused extends Error {
  constructor(message) {
    super(message.replace(/“([^”]{40})[^”]*”/g, '“$1…”'));
  }
}

function quantityOf(text, unit, bytes) {
  const found = /^(\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?) ?([A-Za-zµ(].*)?$/.exec(text.trim());
  if (!found) throw new Refused(`“${text}” is not a number ${unit && !SCHEMA.counts.includes(unit) ? 'with a unit' : 'such as 2048, without commas'}`);
  const word = (found[2] || '').trim();
  if (!word) {
    if (unit && !SCHEMA.counts.includes(unit)) throw new Refused(`“${text}” has no unit; it is measured in ${unit}`);
    return Number(found[1]);
  }
  const [measured, factor] = unitOf(word);
  if (measured !== unit) throw new Refused(`“${text}” is not in ${unit || 'plain numbers'}`);
  const bits = /^((?:[kMGTPE]|[KMGT]i)?)b(?:it)?(\/s)?$/.exec(word);
  if (bits && unit === 'B') throw new Refused(`“${text}” counts bits; a memory is written in bytes (B)`);
  if (bits && bytes) {
    const bytewise = `${bits[1]}B${bits[2]}`;
    throw new Refused(`“${text}” counts bits, and is ${Number(found[1]) / 8} ${bytewise}; a memory is read in bytes: ${found[1]} ${bytewise}?`);
  }
  return Number(found[1]) * factor;
}

function unitOf(text) {
  const parts = /^([^/()]+)(?:\/([^/()]+|\([^/()]+\)))?$/.exec(text);
  if (!parts) throw new Refused(`“${text}” is not a unit`);
  const powers = {};
  let factor = product(parts[1], powers, 1);
  if (parts[2]) factor /= product(parts[2].replace(/[()]/g, ''), powers, -1);
  const name = base => powers[base] < 0 ? -powers[base] === 1 ? base : `${base}^${-powers[base]}` : powers[base] === 1 ? base : `${base}^${powers[base]}`;
  const bases = Object.keys(powers).filter(base => powers[base]).sort();
  const top = bases.filter(base => powers[base] > 0).map(name).join(' ');
  const low = bases.filter(base => powers[base] < 0).map(name);
  return [top + (low.length ? '/' + (low.length > 1 ? `(${low.join(' ')})` : low[0]) : ''), factor];
}

function product(text, powers, sign) {
  let factor = 1;
  for (const part of text.split(/\s+/).filter(Boolean)) {
    if (part === '1') continue;
    const found = /^([A-Za-zµ]+)(?:\^([2-9]))?$/.exec(part);
    if (!found || !Object.hasOwn(SCHEMA.words, found[1])) throw new Refused(`unknown unit “${part}”`);
    const [bases, scale] = SCHEMA.words[found[1]], power = Number(found[2] || 1);
    for (const [base, count] of Object.entries(bases)) powers[base] = (powers[base] || 0) + sign * count * power;
    factor *= scale ** power;
  }
  return factor;
}

function numberFor(key, text) {
  const { unit, whole, bytes, ends: [low, high, least, most] } = SCHEMA.numbers[key];
  let number;
  try {
    number = quantityOf(String(text), unit, bytes);
  } catch (error) {
    throw error instanceof Refused ? new Refused(`${key}: ${error.message}`) : error;
  }
  if (!(number >= low && number <= high)) throw new Refused(`${key}: “${text}” is out of range; the ${number > high ? `most is ${most}` : `least is ${least}`}`);
  if (whole && !Number.isInteger(number)) throw new Refused(`${key}: “${text}” is not a whole number; ${nearest([Math.floor(number), Math.ceil(number)])}`);
  return number;
}

const nearest = numbers => `the nearest ${numbers.length > 1 ? 'are' : 'is'} ${numbers.join(' and ')}`;

// --- one scenario laid over another: another machine or network comes with its own figures

const isLink = text => text === 'nic' || text === 'scale_up';

function over(settings, changes) {
  const next = { ...settings };
  for (const [kind, keys] of Object.entries(SCHEMA.parts)) {
    if (changes[kind] === undefined) continue;
    for (const key of keys) if (!isLink(next[key])) delete next[key];
  }
  return { ...next, ...changes };
}

// --- the inputs of the formulas

const word = text => ({ v: null, s: null, w: text });
const number = value => ({ v: value, s: null });
const absence = state => ({ v: null, s: state });
// An input says where it comes from: a path in LAYERS, or hand, default, choice, shape (what nobody gave).
const leaf = (value, from) => ({ ...(typeof value === 'number' ? number(value) : typeof value === 'string' ? word(value) : absence(value.s)), from });
const layer = (values, path) => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, leaf(value, `${path}/${key}`)]));
const same = (values, from) => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, leaf(value, from)]));

// laid: the page lays a question of its own over the reader's settings, which he cannot answer for.
function baseOf(settings, laid) {
  const given = { ...settings };
  for (const key of Object.keys(given)) if (!SCHEMA.keys.includes(key)) throw new Refused(`unknown key “${key}”`);
  const base = { ...layer(LAYERS.constants, 'constants'), ...batch(given), ...choices(given), ...machine(given), ...network(given) };
  Object.assign(base, formats(given, base));
  Object.assign(base, hand(given));
  experts(given, base);
  shares(given, base);
  replicas(given, base, laid);
  groups(base);
  return base;
}

// Experts belong to a network that has them, and no part is more than its whole.
function experts(given, base) {
  if (base.family.w !== 'experts') {
    const key = ['experts', 'top_k', 'shared_experts', 'expert_d_ff', 'dense_layers'].find(key => given[key] !== undefined);
    if (key) throw new Refused(`${key}: this network has no experts`);
    return;
  }
  for (const [part, whole] of [['top_k', 'experts'], ['ep', 'experts'], ['dense_layers', 'L']]) {
    if (base[part].v > base[whole].v) throw new Refused(`${part}: ${base[part].v} is more than ${whole}, ${base[whole].v}`);
  }
}

// Heads share out the width, and key-value heads the heads.
function shares(given, base) {
  const named = ['heads', 'kv_heads', 'd'].filter(key => given[key] !== undefined);
  for (const [part, whole] of named.length ? [['heads', 'd'], ['kv_heads', 'heads']] : []) {
    const few = base[part].v, many = base[whole].v;
    if (part === 'heads' && (given.heads === undefined || given.head_dim !== undefined) || !few || !many || many % few === 0) continue;
    const numbers = Array.from({ length: many }, (_, i) => i + 1).filter(one => many % one === 0);
    const right = [numbers.findLast(one => one < few), numbers.find(one => one > few)].filter(Boolean);
    throw new Refused(`${given[part] === undefined ? named[0] : part}: ${few} ${part} do not divide ${whole}, ${many}; ${nearest(right)}`);
  }
}

// Devices make whole replicas; too few for one do not fit, and the formulas say so.
function replicas(given, base, laid) {
  const many = base.devices.v, replica = base.tp.v * base.pp.v;
  if (given.dp !== undefined || many <= replica || many % replica === 0) return;
  if (laid) return void (base.dp = leaf({ s: 'does-not-fit' }, 'choice'));
  const under = many - many % replica;
  throw new Refused(`${many} devices are no multiple of tp times pp, ${replica}; ${nearest([under, under + replica])}`);
}

// Groups of experts and of pieces of a sequence lie within data parallelism: with fewer replicas they do not fit.
function groups(base) {
  const replicas = base.devices.v / (base.tp.v * base.pp.v);
  if (replicas >= 1) for (const key of ['ep', 'cp']) if (base[key].v > replicas) base[key] = leaf({ s: 'does-not-fit' }, 'hand');
}

function pick(rows, kind, name) {
  if (!Object.hasOwn(rows, name)) throw new Refused(`unknown ${kind} “${name}”`);
  return rows[name];
}

function batch(given) {
  const alone = given.devices !== undefined && numberFor('devices', given.devices) === 1;
  return { ...same(SCHEMA.batch, 'default'), ring: leaf(alone ? 'none' : 'ring', 'choice') };
}

function choices(given) {
  const chosen = {};
  for (const [key, words] of Object.entries(SCHEMA.choices)) {
    const value = given[key] ?? SCHEMA.first[key];
    if (value === undefined) continue;
    if (!words.includes(value)) throw new Refused(`unknown ${key} “${value}”`);
    chosen[key] = leaf(value, given[key] === undefined ? 'default' : 'hand');
  }
  return chosen;
}

function machine(given) {
  const name = given.machine ?? SCHEMA.default.machine;
  if (name === 'own') {
    for (const key of ['peak', 'bandwidth']) if (given[key] === undefined) throw new Refused(`a machine of your own needs its ${key}`);
    return layer(LAYERS.own, 'own');
  }
  const row = pick(LAYERS.machines, 'machine', name), fabric = given.fabric ?? SCHEMA.default.fabric;
  const path = `machines/${name}`, format = given.format ?? row.format;
  const own = { ...layer(row.layer, `${path}/layer`), peak: leaf(row.peak[format] ?? { s: 'no-format' }, `${path}/peak/${format}`) };
  if (isLink(fabric)) own.fabric = leaf(row[fabric], `${path}/${fabric}`);
  return own;
}

function network(given) {
  const shape = ['d', 'L'].filter(key => given[key] !== undefined);
  if (shape.length && given.network !== undefined && given.network !== 'own') throw new Refused(`a network or its ${shape.join(' and ')}, not both`);
  const name = given.network ?? (shape.length ? 'own' : SCHEMA.default.network);
  const word = ['gated', 'tied'].find(key => given[key] !== undefined);
  if (name !== 'own' && word) throw new Refused(`${word} is for a network of your own`);
  return name === 'own' ? ownNetwork(given) : layer(pick(LAYERS.networks, 'network', name).layer, `networks/${name}/layer`);
}

function ownNetwork(given) {
  const like = LAYERS.networks[SCHEMA.default.network].layer;
  const d = given.d === undefined ? like.d : numberFor('d', given.d);
  const heads = given.heads === undefined ? Math.max(1, Math.floor(d / 128)) : numberFor('heads', given.heads);
  const values = {
    d, L: like.L, heads, kv_heads: heads, head_dim: d / heads, d_ff: 4 * d, vocab: like.vocab,
    mlp_matrices: yes('gated', given) ? 3 : 2, embeddings: yes('tied', given) ? 1 : 2,
    position_rows: 0, shared_experts: 0, dense_layers: 0,
  };
  const words = { attention: 'grouped', family: given.experts === undefined ? 'dense' : 'experts' };
  if (given.experts !== undefined) {
    values.top_k = 1;
    values.expert_d_ff = given.d_ff === undefined ? 4 * d : numberFor('d_ff', given.d_ff);
  }
  return { ...same(values, 'shape'), ...same(words, 'choice') };
}

function yes(key, given) {
  const text = String(given[key] ?? '0').toLowerCase();
  if (!['0', '1', '0.0', '1.0', 'true', 'false'].includes(text)) throw new Refused(`${key} is 1 or 0, not “${text}”`);
  return ['1', '1.0', 'true'].includes(text);
}

function formats(given, base) {
  const name = given.machine ?? SCHEMA.default.machine;
  const format = given.format ?? (name === 'own' ? 'bf16' : LAYERS.machines[name].format);
  const row = LAYERS.networks[given.network ?? SCHEMA.default.network];
  const usual = base.family.w === 'counted' && row && row.update || 'accumulate';
  const update = given.update ?? usual;
  return { ...layer(LAYERS.formats[format][update], `formats/${format}/${update}`), format: leaf(format, 'choice') };
}

function hand(given) {
  const found = {};
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(SCHEMA.numbers, key) || key === 'fabric' && isLink(value)) continue;
    found[key] = leaf(numberFor(key, value), 'hand');
  }
  if (found.cache) found.keep = found.cache;
  return found;
}

// --- the link: only what differs from the default, with a version; all of it holds or none does

function differing(settings) {
  return Object.fromEntries(Object.entries(settings).filter(([key, value]) => String(SCHEMA.default[key]) !== String(value)));
}

function readLink(fragment) {
  if (!fragment.includes('=')) return null;
  const settings = Object.create(null);
  let at = '';
  for (const part of fragment.split('&')) {
    const [key, ...rest] = part.split('=');
    let value;
    try {
      value = decodeURIComponent(rest.join('=').replace(/\+/g, '%20'));
    } catch {
      throw new Refused('the link is garbled');
    }
    if (!key || !value) throw new Refused(key ? `the link gives no “${key}”` : 'the link is garbled');
    if (key === 'v' && value !== '1') throw new Refused(`the link is of version “${value}”, which this page does not read`);
    if (key === 'at' ? at : Object.hasOwn(settings, key)) throw new Refused(`the link gives “${key}” twice`);
    if (key === 'at') at = value;
    else settings[key] = value;
  }
  if (settings.v === undefined) throw new Refused('the link does not say its version');
  delete settings.v;
  baseOf(settings);
  return { settings: plain(settings), at };
}

// Counts stand in the bar as plain numbers: “10 token” and “1e3” become 10 and 1000.
function plain(settings) {
  const counted = key => Object.hasOwn(SCHEMA.numbers, key) && SCHEMA.numbers[key].whole;
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, counted(key) ? String(numberFor(key, value)) : value]));
}

function writeLink(settings, at) {
  const pairs = Object.entries(differing(settings)).map(([key, value]) => `${key}=${encodeURIComponent(value).replace(/%2F/g, '/')}`);
  if (!pairs.length) return at ? `#${at}` : '';
  return '#' + ['v=1', ...pairs, ...(at ? [`at=${encodeURIComponent(at)}`] : [])].join('&');
}
