// The tape, stepped through: runs the schedules of model/tape.py for the reader's own depth and memory, and moves a
// cursor through them. Still until played; a reader can stop, step and scrub, and what nobody sees does not run.
globalThis.tape = (() => {
  'use strict';
  const FORWARD_PASSES_IN_A_STEP = 3;

  // --- the schedules, event by event: the twin of model/tape.py; an event is [action, layer, layers held]

  function* storeAll(layers) {
    const held = [];
    for (let layer = 0; layer < layers; layer++) yield compute(held, layer, true, 'forward');
    for (let layer = layers - 1; layer >= 0; layer--) yield back(held, layer);
  }

  function* everySqrt(layers) {
    const held = [], step = Math.max(1, Math.round(Math.sqrt(layers)));
    for (let layer = 0; layer < layers; layer++) yield compute(held, layer, layer % step === 0, 'forward');
    for (let start = step * Math.floor((layers - 1) / step); start >= 0; start -= step) {
      const end = Math.min(start + step, layers);
      for (let layer = start + 1; layer < end; layer++) yield compute(held, layer, true, 'recompute');
      for (let layer = end - 1; layer >= start; layer--) yield back(held, layer);
    }
  }

  function* reversible(layers) {
    for (let layer = 0; layer < layers; layer++) yield ['forward', layer, [layer]];
    for (let layer = layers - 1; layer >= 0; layer--) {
      yield ['recompute', layer, [layer]];
      yield ['backward', layer, layer ? [layer - 1] : []];
    }
  }

  function* revolve(layers, memory) {
    const held = [];
    let reached = 0;
    function* part(start, layers, memory) {
      while (layers) {
        const below = split(layers, memory);
        for (let layer = start; layer <= start + below; layer++) {
          yield compute(held, layer, layer === start + below, layer === reached ? 'forward' : 'recompute');
          reached = Math.max(reached, layer + 1);
        }
        yield* part(start + below + 1, layers - below - 1, memory - 1);
        yield back(held, start + below);
        layers = below;
      }
    }
    yield* part(0, layers, memory);
  }

  function compute(held, layer, keep, action) {
    if (keep) held.push(layer);
    return [action, layer, [...held]];
  }

  function back(held, layer) {
    held.splice(held.indexOf(layer), 1);
    return ['backward', layer, [...held]];
  }

  // How many layers a memory serves when none is computed more often than that: a binomial, less the free input.
  function reach(memory, times) {
    let ways = 1;
    for (let i = 1; i <= memory; i++) ways = ways * (times + i) / i;
    return Math.round(ways) - 1;
  }

  function split(layers, memory) {
    let times = 0;
    while (reach(memory, times) < layers) times += 1;
    return Math.min(reach(memory, times - 1), layers - 1 - reach(memory - 1, times - 1));
  }

  const SCHEDULES = { 'store-all': storeAll, sqrt: everySqrt, revolve, reversible };

  // What the figure is told: for each schedule the events, the layers alive after each, what was computed again.
  function run(layers, memory) {
    return Object.fromEntries(Object.entries(SCHEDULES).map(([name, schedule]) => {
      const events = [...schedule(layers, memory)], again = events.filter(([action]) => action === 'recompute').length;
      return [name, { events, alive: events.map(event => event[2].length), again, share: again / (FORWARD_PASSES_IN_A_STEP * layers) }];
    }));
  }

  // --- the stepper

  const root = document.getElementById('fig-tape'), part = name => document.getElementById(`tape-${name}`);
  const words = root?.querySelector('.summary');
  if (!root || !part('play')) return { run };
  const play = part('play'), scrub = part('at'), depth = part('L'), memory = part('memory');
  const WHOLE = 14000;  // ms for the longest schedule, from end to end
  const DEEPEST = Number(depth.max), MOST = 256, FIRST = Number(depth.value);  // layers: of the slider, of a drawing, of the published page
  let ran = {}, last = 0, at = 0, frame = 0, network = FIRST, touched = false, near = false, due = true;

  const each = of => Object.fromEntries(Object.entries(ran).map(([name, found]) => [name, of(found)]));
  const held = () => each(({ events }) => at > 0 && at <= events.length ? events[at - 1][2] : []);

  // The layers of the reader's network where not all of them are drawn.
  const whole = () => Number(depth.value) === Math.min(network, MOST) ? network : Number(depth.value);

  // The schedules wait until the reader comes near, or takes the page to paper.
  function keepUp() {
    if (due) rerun();
  }

  function rerun() {
    due = false;
    ran = run(Number(depth.value), Number(memory.value));
    last = Math.max(...Object.values(ran).map(({ alive }) => alive.length));
    scrub.max = last;
    for (const control of [depth, memory]) {
      control.setAttribute('aria-valuetext', `${control.value} ${control.value === '1' ? 'layer' : 'layers'}`);
      control.parentNode.querySelector('output').textContent = control.value;
    }
    const told = { tape_L: Number(depth.value), tape_whole: whole(), tape_memory: Number(memory.value), tape_alive: each(one => one.alive) };
    globalThis.figures.state('tape', { ...told, tape_again: each(one => one.again), tape_share: each(one => one.share) });
    go(touched ? Math.min(at, last) : Number(depth.value));
    inNumbers();
  }

  function inNumbers() {
    Object.values(ran).forEach(({ alive, again, share }, i) => {
      const [, ...cells] = root.querySelectorAll('.in-words tbody tr')[i]?.cells ?? [];
      const written = [alive.length, Math.max(...alive), again].map(count => model.exact(count));
      [...written, model.percent(share, 2)].forEach((text, j) => { if (cells[j]) cells[j].textContent = text; });
    });
  }

  function go(to) {
    at = Math.max(0, Math.min(last, to));
    scrub.value = at;
    scrub.parentNode.querySelector('output').textContent = `${model.exact(at)} of ${model.exact(last)}`;
    const alive = Object.entries(held()).map(([name, layers]) => `${NAMES[name]} ${layers.length}`).join(', ');
    scrub.setAttribute('aria-valuetext', `step ${at} of ${last}; layers alive: ${alive}`);
    globalThis.figures.state('tape', { tape_step: at, tape_held: held() });
    const most = Object.entries(ran).map(([name, { alive }]) => `${NAMES[name]} ${Math.max(...alive)}`).join(', ');
    const cut = whole() > depth.value ? ` of ${model.exact(whole())}` : '', layers = `${depth.value}${cut} ${depth.value === '1' ? 'layer' : 'layers'}`;
    if (words) words.textContent = `${layers}, memory for ${memory.value}. Step ${at} of ${last}: layers alive, ${alive}. At most alive: ${most}.`;
  }
  const NAMES = { 'store-all': 'all stored', sqrt: 'checkpoints', revolve: 'optimal', reversible: 'reversible' };

  function stop() {
    cancelAnimationFrame(frame);
    frame = 0;
    play.textContent = 'Play';
  }

  function start() {
    keepUp();
    if (!touched || at >= last) go(0);
    touched = true;
    play.textContent = 'Pause';
    const from = at, began = performance.now();
    const tick = now => {
      const to = from + Math.floor((now - began) / WHOLE * last);
      if (to !== at) go(to);
      if (at >= last) stop();
      else frame = requestAnimationFrame(tick);
    };
    frame = requestAnimationFrame(tick);
  }

  function step(by) {
    keepUp();
    stop();
    touched = true;
    go(at + by);
    // A slider says itself where it stands; a button does not.
    if (words && document.activeElement !== scrub) globalThis.scenario?.tell?.(words.textContent);
  }

  play.addEventListener('click', () => frame ? stop() : start());
  part('back').addEventListener('click', () => step(-1));
  part('forward').addEventListener('click', () => step(1));
  scrub.addEventListener('input', () => {
    const to = Number(scrub.value);
    keepUp();
    step(to - at);
  });
  for (const control of [depth, memory]) {
    control.addEventListener('input', () => {
      stop();
      rerun();
    });
  }
  new IntersectionObserver(seen => seen[seen.length - 1].isIntersecting || stop()).observe(root);
  new IntersectionObserver(seen => {
    near = seen[seen.length - 1].isIntersecting;
    if (near) keepUp();
  }, { rootMargin: '500px' }).observe(root);
  addEventListener('beforeprint', keepUp);
  document.addEventListener('visibilitychange', () => document.hidden && stop());
  document.addEventListener('scenario', () => {
    const { v } = globalThis.scenario.question('L'), layers = v ?? FIRST;  // a network without any: as published
    if (layers === network || v === null && Number(depth.value) !== Math.min(network, MOST)) return;  // the reader's own depth stays
    network = layers;
    depth.max = Math.max(DEEPEST, Math.min(layers, MOST));
    depth.value = layers;
    due = true;
    if (near) keepUp();
  });
  return { run };
})();
