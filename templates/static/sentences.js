// Keeps the text in step with the scenario: numbers that follow the reader, claims that hold or do not. What is near the
// window is written at once, the rest in short turns after it, so that a change is seen within a frame or two; a turn
// that a new change overtakes is dropped. What is asked and how it is said comes from the page's own script (index.js).
globalThis.sentences = (page, things) => {
  'use strict';
  const TURN = 8, PREFIX = { machine: 'Not on this machine: ', network: 'Not for this network: ', batch: 'Not at this batch: ', here: 'Not here: ' };  // ms
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const jobs = [];
  let left = [], differs = 'here', timer = 0;

  // --- a number

  function written([way, digits, label], answer) {
    if (answer.s) return null;
    if (way === 'qty' || way === 'count') return model[way](answer.v, digits, things(label));
    return way === 'exact' ? model.exact(answer.v) : model[way](answer.v, digits);
  }

  function writeNumber(entry, places) {
    const answer = entry[3](), text = written(entry, answer);
    for (const { place, claimed } of places) {
      const shown = text ?? (claimed ? '–' : model.STATES[answer.s]);
      if (place.textContent !== shown) place.textContent = shown;
      if (place.localName === 'data') hold(place, answer.v);
    }
  }

  // Six digits, as the build writes them.
  function hold(place, value) {
    const held = Number.isFinite(value) && value !== null ? Number(value.toPrecision(6)) : null;
    if (held === null ? place.value : Number(place.value) !== held || !place.value) place.value = held ?? '';
  }

  // --- a claim: the sentence that holds on this scenario, or a mark that it does not

  function writeClaim(claim, entry) {
    const verdict = entry.holds(), state = stateOf(entry, verdict);
    showVariant(claim, state || String(verdict), verdict, state);
  }

  // A number without a value decides which variant is read, before the condition does.
  const stateOf = (entry, verdict) => entry.shows.map(n => page.numbers[n][3]().s).find(Boolean)
    || (verdict === null ? entry.asks().map(answer => answer.s).find(Boolean) : undefined);

  function showVariant(claim, wanted, verdict, state) {
    const variants = all(':scope > .variant', claim);
    const fits = variants.find(variant => variant.dataset.when === wanted);
    const fails = !fits && (verdict !== true || variants.length > 0);
    for (const variant of variants) variant.hidden = fails ? variant.dataset.when !== 'true' : variant !== fits;
    claim.classList.toggle('fails', fails);
    const note = claim.querySelector(':scope > .claim-note');
    if (!fails) return note?.remove();
    const words = verdict === null && state ? `Undecided, ${model.STATES[state]}: ` : PREFIX[differs];
    if (note) note.textContent = words;
    else claim.prepend(Object.assign(document.createElement('span'), { className: 'claim-note', textContent: words }));
  }

  // --- which of them are near, and what is written when

  let looked = false;
  const near = new Set(), watch = new IntersectionObserver(seen => {
    looked = true;
    for (const { target, isIntersecting } of seen) near[isIntersecting ? 'add' : 'delete'](target);
  }, { rootMargin: '50% 0px' });
  const blockOf = element => element.closest('p, li, tr, figcaption, .equation, .table-caption') ?? element;

  function job(elements, run) {
    const blocks = [...new Set(elements.map(blockOf))];
    for (const block of blocks) watch.observe(block);
    jobs.push({ run, blocks });
  }

  const places = new Map();
  for (const place of all('.n-link > .live, .live[data-n]')) {
    const n = place.dataset.n ?? place.parentNode.hash.slice(2);
    places.set(n, [...(places.get(n) ?? []), { place, claimed: Boolean(place.closest('.claim')) }]);
  }
  for (const [n, held] of places) if (page.numbers[n]) job(held.map(({ place }) => place), () => writeNumber(page.numbers[n], held));
  for (const claim of all('[data-claim]')) {
    const entry = page.claims[claim.dataset.claim];
    if (entry) job([claim], () => writeClaim(claim, entry));
  }

  function turn(until) {
    while (left.length && performance.now() < until) left.shift().run();
    timer = left.length ? setTimeout(() => turn(performance.now() + TURN)) : 0;
  }

  // kind: what differs from the default (machine, network, batch, or several: here), for the mark of a claim that fails.
  function write(kind) {
    clearTimeout(timer);
    differs = kind;
    left = [...jobs];
    if (!looked) return finish();  // the page is just being opened, on the scenario of a link
    const now = left.filter(({ blocks }) => blocks.some(block => near.has(block)));
    left = left.filter(one => !now.includes(one));
    for (const { run } of now) run();
    timer = setTimeout(() => turn(performance.now() + TURN));
  }

  // Before the page is printed, all of it has to be right.
  function finish() {
    clearTimeout(timer);
    turn(Infinity);
  }

  addEventListener('beforeprint', finish);
  return { write, finish, follows: claim => Object.hasOwn(page.claims, claim) };
};
