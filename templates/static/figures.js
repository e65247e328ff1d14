// The live figures: each takes the place of its still picture when the reader comes near and acts, and follows the
// scenario. Vega and the specs come as scripts when first needed. What a mark says is marks.js's, words in-words.js's.
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
  // Between a phone and a wide window a wide picture shrinks its letters, until the live one is laid out anew.
  const TIGHT = matchMedia('(min-width: 37.5rem) and (max-width: 51.99rem)');
  const NEAR = '500px', GLIDE = 180;  // ms
  const mounted = [], scripts = new Map();
  let scenario = null, source = null, acted = false, stale = false;

  function load(address) {
    if (!scripts.has(address)) {
      scripts.set(address, new Promise((done, failed) => {
        const script = document.createElement('script');
        script.src = address;
        script.onload = done;
        script.onerror = () => {
          scripts.delete(address);
          failed(new Error(`cannot load ${address}`));
        };
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
    figure.root.querySelector('.in-words')?.addEventListener('toggle', () => inWords.numbers(figure.root, source));
    near.observe(figure.root);
  }

  const near = new IntersectionObserver(entries => entries.forEach(({ target, isIntersecting }) => {
    const figure = mounted.find(({ root }) => root === target);
    figure.near = isIntersecting;
    begin(figure);
  }), { rootMargin: NEAR });

  // A jump by link, search or script may end in a section that has just been laid out for the first time, where what
  // was known of its figures no longer holds: they are asked for again, without waiting for the reader to scroll.
  function lookAgain() {
    for (const { root, live } of mounted) {
      if (live[layout()]) continue;
      near.unobserve(root);
      near.observe(root);
    }
  }
  for (const kind of ['contentvisibilityautostatechange', 'scrollend', 'hashchange']) addEventListener(kind, lookAgain, { passive: true, capture: true });

  const layout = () => PHONE.matches ? 'phone' : 'wide';

  function begin(figure) {
    if (figure.near && (acted || stale || TIGHT.matches)) show(figure, layout());
  }

  function act() {
    if (acted) return;
    acted = true;
    mounted.forEach(begin);
  }
  for (const kind of ['pointerdown', 'pointermove', 'touchstart', 'keydown', 'scroll', 'focusin']) {
    addEventListener(kind, act, { once: true, passive: true, capture: true });
  }
  for (const query of [PHONE, TIGHT]) query.addEventListener('change', () => mounted.forEach(begin));

  // --- the live view, in the place of the still one and of the same size

  async function show(figure, layout) {
    if (figure.live[layout]) return;
    const live = figure.live[layout] = { values: {}, view: null };
    const drawing = figure.root.querySelector('.drawing');
    const place = drawing.querySelector(layout === 'phone' ? '.for-phone' : '.for-desk') || drawing;
    try {
      await Promise.all(['vega.js', `spec-${figure.name}-${layout}.js`].map(name => load(FILES[name])));
    } catch {
      delete figure.live[layout];  // the still picture stays, and the next look tries again
      return;
    }
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
    marks.explain(live, hold, { light: id => light(figure, id), choose: changes => scenario.set(changes, 'reader') });
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
    inWords.numbers(figure.root, source);
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
      Promise.all(Object.values(figure.live).map(live => live.view && tell(figure, live, false))).then(() => inWords.view(figure));
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
      const value = times && !untold() ? String(control.value * source.question(times).v) : control.value;
      const { batch, first } = model.SCHEMA;
      scenario.set({ [key]: value === String(batch[key] ?? first[key]) ? undefined : value }, how);
    };
    if (control.type === 'range') control.addEventListener('input', () => move('drag'));
    control.addEventListener('change', () => move('reader'));
  }

  // A network without tokens has no sequences of them: its examples are counted one by one.
  const untold = () => source.question('family').w === 'counted';

  function follow(control) {
    const { key, times, ofTexts } = control.dataset, { v, w } = source.question(key);
    if (ofTexts !== undefined) control.closest('.control').hidden = untold();
    const sequences = times && !untold(), share = sequences ? v / source.question(times).v : v;
    const value = w ?? String(times && !sequences ? v : Number(share.toPrecision(3)));
    // A part of a sequence is told in tokens.
    const text = sequences && share % 1 ? model.count(v, null, ['token', 'tokens']) : times && !sequences ? model.exact(v) : value;
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

  // A figure that shows one thing in several panels lights it in all of them: <figure>_lit is the id of what is pointed at.
  function light(figure, id) {
    const name = `${figure.name}_lit`, known = Object.values(figure.live).some(({ spec }) => spec?.signals.some(signal => signal.name === name));
    if (!known || (figure.state[name] ?? '') === id) return;
    figure.state[name] = id;
    Object.values(figure.live).forEach(live => live.view && tell(figure, live, false));
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
