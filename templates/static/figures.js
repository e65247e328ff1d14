// The live figures: each takes the place of its still picture when the reader comes near and acts, follows the scenario,
// and shows what a mark says to pointer, touch and keyboard alike. Vega and the specs come as scripts when first needed.
//
//   figures.start(scenario)        set(changes, how) moves the scenario; how is "drag" while a control still moves
//   figures.update({settings, question})   a new scenario: what differs from the default, and question(key) -> {v, s, w}
//   figures.jobs({settings, question})     the same, a job for each figure: those near the reader come first
//   figures.looked()               {root, acting}: the figure that the reader acts on or sees
//
// This script's own tag says where the others lie: data-files holds {"vega.js": address, "spec-<figure>-<layout>.js": ...}.
globalThis.figures = (() => {
  'use strict';
  const FILES = JSON.parse(document.currentScript.dataset.files || '{}');
  const PHONE = matchMedia('(max-width: 37.49rem)'), STILL = matchMedia('(prefers-reduced-motion: reduce)');
  const NEAR = '500px', REACH = 22, TOUCH = 14, GLIDE = 180;  // px and ms
  const mounted = [], scripts = new Map();
  let scenario = null, source = null, acted = false, stale = false;

  function load(address) {
    if (!scripts.has(address)) {
      scripts.set(address, new Promise((done, failed) => {
        const script = document.createElement('script');
        script.src = address;
        script.onload = done;
        script.onerror = () => failed(new Error(`cannot load ${address}`));
        document.head.append(script);
      }));
    }
    return scripts.get(address);
  }

  // --- when to begin

  function start(given) {
    scenario = given;
    for (const root of document.querySelectorAll('figure[id^="fig-"]')) {
      const name = root.id.slice(4);
      if (FILES[`spec-${name}-wide.js`]) mount({ name, root, near: false, state: {}, live: {} });
    }
  }

  function mount(figure) {
    mounted.push(figure);
    figure.root.querySelectorAll('[data-param]').forEach(control => wire(figure, control));
    figure.root.querySelectorAll('[data-key]').forEach(bind);
    figure.root.querySelector('.in-words')?.addEventListener('toggle', () => inNumbers(figure));
    new IntersectionObserver(entries => {
      figure.near = entries[entries.length - 1].isIntersecting;
      begin(figure);
    }, { rootMargin: NEAR }).observe(figure.root);
  }

  function begin(figure) {
    if (figure.near && (acted || stale)) show(figure, PHONE.matches ? 'phone' : 'wide');
  }

  function act() {
    if (acted) return;
    acted = true;
    mounted.forEach(begin);
  }
  for (const kind of ['pointerdown', 'pointermove', 'touchstart', 'keydown', 'scroll', 'focusin']) {
    addEventListener(kind, act, { once: true, passive: true, capture: true });
  }
  PHONE.addEventListener('change', () => mounted.forEach(begin));

  // --- the live view, in the place of the still one and of the same size

  async function show(figure, layout) {
    if (figure.live[layout]) return;
    const live = figure.live[layout] = { values: {}, view: null };
    const drawing = figure.root.querySelector('.drawing');
    const place = drawing.querySelector(layout === 'phone' ? '.for-phone' : '.for-desk') || drawing;
    await Promise.all(['vega.js', `spec-${figure.name}-${layout}.js`].map(name => load(FILES[name])));
    const { spec, signals, offers } = specs[`${figure.name}-${layout}`];
    Object.entries(offers ?? {}).forEach(offer);
    const hold = document.createElement('div');
    Object.assign(hold.style, { position: 'absolute', visibility: 'hidden' });
    document.body.append(hold);
    const options = { mode: 'vega', ast: true, defaultStyle: false, actions: false, renderer: 'svg', tooltip: () => {} };
    const { view } = await vegaEmbed(hold, spec, options);
    Object.assign(live, { view, spec, signals, place });
    fit(live);
    await tell(figure, live, false);
    const picture = hold.querySelector('svg');
    picture.setAttribute('role', 'img');
    picture.setAttribute('aria-label', figure.root.dataset.alt || '');
    hold.removeAttribute('style');
    place.replaceChildren(hold);
    new ResizeObserver(() => fit(live) && view.runAsync()).observe(place);
    explain(figure, live, hold);
  }

  // A long list of what a control offers comes with the spec: until then it acts on nothing.
  function offer([id, options]) {
    const control = document.getElementById(id), { value } = control;
    if (control.options.length < options.length) control.replaceChildren(...options.map(one => new Option(one.label, one.value)));
    control.value = value;
  }

  function fit({ view, spec, place }) {
    const { left, right, top, bottom } = spec.padding;
    const across = spec.width + left + right, down = spec.height + top + bottom, room = place.clientWidth;
    if (!room) return false;
    view.width(room - left - right).height(room * down / across - top - bottom);
    return true;
  }

  // --- what the view is told

  function update(asked) {
    return Promise.all(jobs(asked).map(run => run())).then(() => undefined);
  }

  function jobs(asked) {
    source = asked;
    stale = stale || Object.keys(asked.settings).length > 0;
    const far = figure => !figure.near;
    return [...mounted.filter(figure => figure.near), ...mounted.filter(far)].map(figure => () => keepUp(figure));
  }

  function keepUp(figure) {
    figure.root.querySelectorAll('[data-param^="log2_"]').forEach(set);
    figure.root.querySelectorAll('[data-key]').forEach(follow);
    inNumbers(figure);
    begin(figure);
    return Promise.all(Object.values(figure.live).map(live => live.view && tell(figure, live, true)));
  }

  function tell(figure, live, gliding) {
    const values = { ...figure.state, ...(source ? valuesOf(live.signals) : {}) };
    const before = live.values, changed = Object.keys(values).filter(name => !Object.is(values[name], before[name]));
    live.values = values;
    cancelAnimationFrame(live.frame);
    const [only] = changed;
    if (gliding && changed.length === 1 && values[only] > 0 && before[only] > 0 && !STILL.matches && !document.hidden) {
      return glide(live, only, live.shown?.[only] ?? before[only], values[only]);
    }
    changed.forEach(name => live.view.signal(name, values[name]));
    live.shown = { ...values };
    return live.view.runAsync();
  }

  function valuesOf(signals) {
    return Object.fromEntries(Object.entries(signals).map(([name, signal]) => [name, valueOf(signal)]));
  }

  function valueOf({ kind, key, when, words, otherwise }) {
    if (kind === 'setting') return source.settings[key] ?? otherwise;
    if (kind === 'choice') return source.question(key).w ?? '';
    if (Object.entries(when || {}).some(([choice, allowed]) => !allowed.includes(source.question(choice).w))) return NaN;
    const { v, s } = source.question(key);
    return kind === 'state' ? words[s] ?? '' : v ?? NaN;
  }

  // The point runs along its path, evenly on the logarithmic axis.
  function glide(live, name, from, to) {
    const start = performance.now(), whole = Number.isInteger(to);
    return new Promise(done => {
      const step = now => {
        const part = Math.min(1, (now - start) / GLIDE), value = part < 1 ? from * (to / from) ** part : to;
        live.shown[name] = value;
        live.view.signal(name, whole ? Math.round(value) || 1 : value).runAsync();
        if (part < 1) live.frame = requestAnimationFrame(step);
        else done();
      };
      live.frame = requestAnimationFrame(step);
    });
  }

  // --- the figure's own controls: log2_<key> moves the scenario, any other parameter only the view

  function wire(figure, control) {
    const name = control.dataset.param;
    if (name.startsWith('log2_')) {
      const move = how => scenario.set({ [name.slice(5)]: String(2 ** control.value) }, how);
      control.addEventListener('input', () => move('drag'));
      control.addEventListener('change', () => move('reader'));
      return;
    }
    control.addEventListener(control.type === 'button' ? 'click' : 'change', () => {
      figure.state[name] = viewState(figure, control, name);
      Promise.all(Object.values(figure.live).map(live => live.view && tell(figure, live, false))).then(() => inWords(figure));
    });
  }

  function set(control) {
    const key = control.dataset.param.slice(5), value = source.question(key).v;
    control.value = Math.log2(value);
    const text = model.exact(Math.round(10 * value) / 10);
    control.setAttribute('aria-valuetext', text);
    const output = control.parentNode.querySelector('output');
    if (output) output.textContent = text;
  }

  // A control with a key is the scenario's: data-key="tp" sets tp, data-key="T" data-times="s" counts T in sequences.
  function bind(control) {
    const { key, times } = control.dataset;
    const move = how => {
      const value = times ? String(control.value * source.question(times).v) : control.value;
      const { batch, first } = model.SCHEMA;
      scenario.set({ [key]: value === String(batch[key] ?? first[key]) ? undefined : value }, how);
    };
    if (control.type === 'range') control.addEventListener('input', () => move('drag'));
    control.addEventListener('change', () => move('reader'));
  }

  function follow(control) {
    const { key, times } = control.dataset, { v, w } = source.question(key);
    const share = times ? v / source.question(times).v : v, value = w ?? String(Number(share.toPrecision(3)));
    // A part of a sequence is told in tokens, or in examples of a network without them.
    const text = times && share % 1 ? model.count(v, null, source.question('family').w === 'counted' ? ['example', 'examples'] : ['token', 'tokens']) : value;
    if (control.localName === 'select' && ![...control.options].some(option => option.value === value)) control.add(new Option(text, value));
    control.value = value;
    const output = control.parentNode.querySelector('output');
    if (output) output.textContent = value;
  }

  // Boxes that share a parameter make a list of what their ids name: roofline_ghosts-cray-1.
  function viewState(figure, control, name) {
    if (control.type !== 'checkbox') return control.type === 'range' ? Number(control.value) : control.value;
    const shared = [...figure.root.querySelectorAll(`[data-param="${name}"]`)];
    return shared.length === 1 ? control.checked : shared.filter(box => box.checked).map(box => box.id.slice(name.length + 1));
  }

  // --- in words and numbers

  // What a figure says of its own view, where it says something: the parameter <figure>_says.
  function inWords(figure) {
    const live = Object.values(figure.live).find(({ view, spec }) => view && spec.signals.some(({ name }) => name === `${figure.name}_says`));
    const place = figure.root.querySelector('.summary');
    if (!live || !place) return;
    const words = live.view.signal(`${figure.name}_says`);
    if (place.textContent === words) return;
    place.textContent = words;
    scenario.tell?.(words);
  }

  // The cells of an open table say what they ask: a row its changes (data-given="T=64 s==d": d's own value for s), a
  // column its key and how it is written. An answer without a value says why, once in a column.
  function inNumbers({ root }) {
    if (!source || !root.querySelector('.in-words')?.open) return;
    const [tokens, things] = source.question('family').w === 'counted' ? ['tokens', 'examples'] : ['examples', 'tokens'];
    for (const head of root.querySelectorAll('table.asked thead th')) {
      if (head.textContent.endsWith(`, ${tokens}`)) head.textContent = head.textContent.slice(0, -tokens.length) + things;
    }
    for (const table of root.querySelectorAll('table.asked')) {
      const [, ...columns] = table.tHead.rows[0].cells, above = [];
      for (const row of table.tBodies[0].rows) {
        const ask = asking(row.dataset.given);
        columns.forEach((column, i) => {
          const answer = ask(column.dataset.ask);
          write(row.cells[i + 1], answer, column.dataset, above[i]);
          above[i] = answer.s;
        });
      }
    }
  }

  function asking(given) {
    const changes = given.split(' ').map(change => change.split(/=(.*)/).slice(0, 2));
    const own = value => value[0] === '=' ? String(source.question(value.slice(1)).v ?? '') : value;
    try {
      const base = model.baseOf(model.over(source.settings, Object.fromEntries(changes.map(([key, value]) => [key, own(value)]))), true), memo = new Map();
      return key => model.ask(key, base, memo);
    } catch (error) {
      if (!(error instanceof model.Refused)) throw error;
      return () => ({ v: null, s: 'unknown' });
    }
  }

  function write(cell, { v, s }, { way, digits, label }, above) {
    const text = s ? s === above ? '\u2013' : model.STATES[s] : model[way](v, Number(digits), label && JSON.parse(label)).trim();
    if (cell.textContent !== text) cell.textContent = text;
  }

  // The figure that the reader acts on, or else the one that fills most of the window. Far ones are not measured: they
  // would have to be laid out for it.
  function looked() {
    const room = document.documentElement.clientHeight;
    const seen = ({ root }) => {
      const { top, bottom } = root.getBoundingClientRect();
      return Math.max(0, Math.min(bottom, room) - Math.max(top, 0));
    };
    const acting = mounted.find(({ root }) => root.contains(document.activeElement));
    const most = mounted.filter(({ near }) => near).reduce((best, one) => seen(one) > (best ? seen(best) : room / 4) ? one : best, null);
    return { root: (acting || most)?.root ?? null, acting: Boolean(acting) };
  }

  // --- what a mark says: the nearest to the pointer or finger, or the next one by arrow key

  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.setAttribute('role', 'status');
  tip.hidden = true;
  Object.assign(tip.style, { position: 'fixed', zIndex: 20, pointerEvents: 'none' });
  document.body.append(tip);
  const hide = () => { tip.hidden = true; };
  addEventListener('scroll', hide, { passive: true, capture: true });

  // What was lit may have been drawn anew since: a mark is the same when it stands there and says the same.
  const same = (mark, other) => Boolean(mark && other) && mark.item.tooltip === other.item.tooltip && Math.hypot(mark.x - other.x, mark.y - other.y) < 2;

  function explain(figure, live, hold) {
    let at = null;
    const point = mark => {
      at = mark;
      light(figure, mark);
      hold.style.cursor = choice(mark) ? 'pointer' : '';
      if (mark) say(mark, hold);
      else hide();
    };
    hold.tabIndex = 0;
    hold.setAttribute('role', 'group');
    hold.setAttribute('aria-label', 'The marks of the figure: arrow keys read them one by one');
    hold.addEventListener('pointermove', event => event.pointerType === 'mouse' && point(nearest(live, hold, event, REACH)));
    hold.addEventListener('pointerleave', event => event.pointerType === 'mouse' && point(null));
    hold.addEventListener('click', event => {
      if (event.pointerType === 'mouse') return choose(nearest(live, hold, event, TOUCH));
      const mark = nearest(live, hold, event, 2 * REACH);
      return point(!tip.hidden && same(mark, at) ? null : mark);
    });
    document.addEventListener('pointerdown', event => {
      if (hold.contains(event.target)) return;
      at = null;
      light(figure, null);
      if (!event.target.closest?.('.vega-embed')) hide();  // another figure hides or replaces what is said itself
    });
    hold.addEventListener('blur', () => point(null));
    hold.addEventListener('keydown', event => {
      const marks = once(figure, marksOf(live)), itself = marks.findIndex(mark => mark.item === at?.item);
      const here = itself < 0 ? marks.findIndex(mark => same(mark, at)) : itself;  // two marks may stand in one place
      const to = { ArrowRight: here + 1, ArrowLeft: here < 0 ? marks.length - 1 : here - 1, Home: 0, End: marks.length - 1 }[event.key];
      if (event.key === 'Escape') point(null);
      else if (event.key === 'Enter') choose(marks[here]);
      else if (marks[to]) point(marks[to]);
      else return;
      event.preventDefault();
    });
  }

  // A figure that shows one thing in several panels lights it in all of them: <figure>_lit is the id of what is pointed at.
  const lit = figure => Object.values(figure.live).some(({ spec }) => spec?.signals.some(({ name }) => name === `${figure.name}_lit`));

  function light(figure, mark) {
    const name = `${figure.name}_lit`, id = mark?.item.datum.id ?? '';
    if (!lit(figure) || (figure.state[name] ?? '') === id) return;
    figure.state[name] = id;
    Object.values(figure.live).forEach(live => live.view && tell(figure, live, false));
  }

  // Arrow keys come to such a thing once, in the first panel that shows it.
  function once(figure, marks) {
    const seen = new Set();
    return lit(figure) ? marks.filter(({ item: { datum: { id } } }) => !id || !seen.has(id) && seen.add(id)) : marks;
  }

  // A dot of a path stands for a T, a bar for the word of a choice, any mark for what its `set` says: choosing it makes
  // that the scenario's.
  function choice(mark) {
    const { t, key, word, set } = mark?.item.datum || {};
    return set ? set : t ? { T: String(t) } : key && word ? { [key]: word } : null;
  }

  function choose(mark) {
    if (choice(mark)) scenario.set(choice(mark), 'reader');
  }

  function marksOf({ view }) {
    const found = [], { left, top } = view.padding();
    const visit = (group, x, y) => group.items.forEach(part => {
      if (part.marktype === 'group') part.items.forEach(inner => visit(inner, x + (inner.x || 0), y + (inner.y || 0)));
      else if (part.marktype !== 'line') part.items.filter(item => item.tooltip).forEach(item => found.push(placed(item, x, y)));
    });
    view.scenegraph().root.items.forEach(item => visit(item, left, top));
    return found.sort((one, other) => one.x - other.x || one.y - other.y);
  }

  function placed(item, x, y) {
    const { x1, x2, y1, y2 } = item.bounds;
    return { item, x: x + (x1 + x2) / 2, y: y + (y1 + y2) / 2, wide: (x2 - x1) / 2, high: (y2 - y1) / 2 };
  }

  function nearest(live, hold, event, reach) {
    const box = hold.querySelector('svg').getBoundingClientRect();
    const beyond = (from, to, half) => Math.max(0, Math.abs(from - to) - half);
    const far = mark => Math.hypot(beyond(event.clientX - box.left, mark.x, mark.wide), beyond(event.clientY - box.top, mark.y, mark.high));
    return marksOf(live).reduce((best, mark) => far(mark) < Math.min(reach, best ? far(best) : Infinity) ? mark : best, null);
  }

  function say(mark, hold) {
    const box = hold.querySelector('svg').getBoundingClientRect(), [first, ...rest] = String(mark.item.tooltip).split('\n');
    const lead = document.createElement('strong');
    lead.textContent = first;
    tip.replaceChildren(lead, ...rest.map(text => Object.assign(document.createElement('div'), { textContent: text })));
    tip.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = tip, room = document.documentElement.clientWidth;
    const x = Math.max(4, Math.min(box.left + mark.x - width / 2, room - width - 4));
    const above = box.top + mark.y - height - 14;
    Object.assign(tip.style, { left: `${x}px`, top: `${above > 4 ? above : box.top + mark.y + 16}px` });
  }

  // What a script beside this one shows in a figure: values of its own parameters.
  function state(name, values) {
    const figure = mounted.find(one => one.name === name);
    if (!figure) return;
    Object.assign(figure.state, values);
    Object.values(figure.live).forEach(live => live.view && tell(figure, live, false));
  }

  return { start, update, jobs, state, looked };
})();
