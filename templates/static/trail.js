// The reader's trail: the link in the address bar, and an entry of the history for each change, so that Back undoes it.
// Keys that step a control, held or pressed in a row, make one entry: Back returns to what stood before the first.
//
//   trail.record({ settings, at })    the reader has changed something
//   trail.correct({ settings, at })   the entry that is open, put in words of ours; without a setting its address stays
//   trail.known()                     whether the entry that is open says what the page was read with
globalThis.trail = (() => {
  'use strict';
  const STEPS = /^(?:Arrow|Page|Home$|End$)/, PAUSE = 1000, REST = 250;  // ms
  let step = null, held = false, last = null, when = 0, rest = 0, open = null;

  addEventListener('keydown', ({ key, repeat, target }) => {
    step = STEPS.test(key) ? target : null;
    held = repeat;
  }, true);
  addEventListener('pointerdown', () => { step = null; }, true);
  addEventListener('change', ({ target }) => { if (target !== step) step = null; }, true);

  function record(entry) {
    const now = performance.now(), going = step !== null && step === last && (held || now - when < PAUSE);
    [last, when] = [step, now];
    if (going) return replaceSoon(entry);
    finish();
    turns.later('trail', () => enter('pushState', entry));
    return undefined;
  }

  // Browsers count how often an address changes: while a key is held it does so at its end.
  function replaceSoon(entry) {
    open = entry;
    clearTimeout(rest);
    rest = setTimeout(finish, REST);
  }

  function finish() {
    clearTimeout(rest);
    turns.now('trail');
    if (open) enter('replaceState', open);
    open = null;
  }

  function correct({ settings, at }) {
    const { href } = location, kept = Object.keys(settings).length ? model.writeLink(settings, at) : href;
    turns.later('trail', () => {
      if (location.href === href) history.replaceState({ reader: settings, at }, '', kept);  // else the reader has gone on
    });
  }

  // The link says only what differs from the default.
  function enter(way, { settings, at }) {
    history[way]({ reader: settings, at }, '', model.writeLink(settings, at) || location.pathname + location.search);
  }

  function forget() {
    clearTimeout(rest);
    [last, open] = [null, null];
    turns.later('trail');
  }

  addEventListener('click', finish, true);  // it may lead elsewhere
  addEventListener('pagehide', finish);
  addEventListener('popstate', forget);
  return { record, correct, known: () => Boolean(history.state?.reader) };
})();
