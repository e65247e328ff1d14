// Keeps the text in step with the scenario: numbers that follow the reader, claims that hold or do not. What is near the
// window is written at once, so that a change is seen within a frame or two; the rest is handed back as jobs for later.
// What is asked and how it is said comes from the page's own script (index.js).
//
//   const live = sentences(index(question), things)   things(label): what is counted on this network, tokens or examples
//   live.write(kind, at)   rewrite what is near; returns the jobs for what is far. kind: what differs from the default
//                          (machine, network, batch, or several: here), for the mark of a claim that fails; at: the place
//                          that the link names
//   live.follows(claim)    whether a claim follows the reader
globalThis.sentences = (page, things) => {
  'use strict';
  const PREFIX = { machine: 'Not on this machine: ', network: 'Not for this network: ', batch: 'Not at this batch: ', here: 'Not here: ' };
  let differs = 'here', change = 0;

  // --- a number

  function written([way, digits, label], answer) {
    if (answer.s) return null;
    if (label) return model[way](answer.v, digits, things(label));
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
    const variants = claim.querySelectorAll(':scope > .variant');
    const fits = [...variants].find(variant => variant.dataset.when === wanted);
    const fails = !fits && (verdict !== true || variants.length > 0);
    for (const variant of variants) variant.hidden = fails ? variant.dataset.when !== 'true' : variant !== fits;
    claim.classList.toggle('fails', fails);
    const note = claim.querySelector(':scope > .claim-note');
    if (!fails) return note?.remove();
    const words = verdict === null && state ? `Undecided, ${model.STATES[state]}: ` : PREFIX[differs];
    if (note) note.textContent = words;
    else claim.prepend(Object.assign(document.createElement('span'), { className: 'claim-note', textContent: words }));
  }

  // --- which of them are near: kept up to date while the reader scrolls, so that a change need not measure anything

  const jobs = [], inside = new Map(), near = new Set();  // inside: the jobs of each block of text
  let looked = false;
  const watch = new IntersectionObserver(seen => {
    looked = true;
    for (const { target, isIntersecting } of seen) near[isIntersecting ? 'add' : 'delete'](target);
  }, { rootMargin: '50% 0px' });
  const blockOf = element => element.closest('p, li, tr, figcaption, .equation, .table-caption') ?? element;

  function job(elements, run) {
    const made = { run, change };
    jobs.push(made);
    for (const block of new Set(elements.map(blockOf))) {
      if (!inside.has(block)) watch.observe(block);
      inside.set(block, [...(inside.get(block) ?? []), made]);
    }
  }

  function register() {
    const places = new Map();
    for (const place of document.getElementsByClassName('live')) {
      const n = place.dataset.n ?? place.parentNode.hash?.slice(2);
      if (!page.numbers[n]) continue;
      places.set(n, [...(places.get(n) ?? []), { place, claimed: Boolean(place.closest('.claim')) }]);
    }
    for (const [n, held] of places) job(held.map(({ place }) => place), () => writeNumber(page.numbers[n], held));
    for (const claim of document.getElementsByClassName('claim')) {
      const entry = page.claims[claim.dataset.claim];
      if (entry) job([claim], () => writeClaim(claim, entry));
    }
  }

  function rewrite(one) {
    if (one.change === change) return;
    one.change = change;
    one.run();
  }

  function write(kind, at) {
    differs = kind;
    change += 1;
    for (const block of looked ? near : opened(at)) inside.get(block).forEach(rewrite);
    return jobs.map(one => () => rewrite(one));
  }

  // While the page is being opened nothing has been looked at yet: the section that the link names, and the next.
  function opened(at) {
    const parts = [...document.getElementsByClassName('part')], place = at ? document.getElementById(at) : null;
    const first = Math.max(0, parts.findIndex(part => part.contains(place)));
    return [...inside.keys()].filter(block => parts.slice(first, first + 2).some(part => part.contains(block)));
  }

  register();
  return { write, follows: claim => Object.hasOwn(page.claims, claim) };
};
