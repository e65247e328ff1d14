// Work that waits. A change of the scenario first shows what the reader looks at; all else follows the frame that shows
// it, in short turns between which the page answers. A new change drops what still waits of the one before.
//
//   turns.later(name, ...jobs)   run after the next frame, in the order in which names came; what waits under that name goes
//   turns.now(name)              run what waits under that name at once, or without a name everything
//   turns.settled()              a promise: nothing waits any more
globalThis.turns = (() => {
  'use strict';
  const TURN = 5;  // ms
  const waiting = new Map(), { port1, port2 } = new MessageChannel();
  let frame = 0, told = [];

  function later(name, ...jobs) {
    waiting.delete(name);
    if (jobs.length) waiting.set(name, jobs);
    if (!frame) frame = requestAnimationFrame(pass);
    if (document.hidden) pass();
  }

  // A message comes right after the frame is painted. No frame comes to a page that nobody sees.
  function pass() {
    cancelAnimationFrame(frame);
    frame = 0;
    port2.postMessage(null);
  }

  port1.onmessage = () => {
    if (!frame) turn(performance.now() + TURN);  // else a newer change has come, and waits for its own frame
  };

  function turn(until) {
    try {
      do step(); while (waiting.size && !frame && performance.now() < until);
    } finally {
      if (!waiting.size) told.splice(0).forEach(done => done());
      else if (!frame) port2.postMessage(null);
    }
  }

  function step() {
    const [first] = waiting;
    if (!first) return;
    const [name, jobs] = first, job = jobs.shift();
    if (!jobs.length) waiting.delete(name);
    job();
  }

  function now(name) {
    const jobs = name ? [...waiting.get(name) ?? []] : [...waiting.values()].flat();
    if (name) waiting.delete(name);
    else waiting.clear();
    for (const job of jobs) job();
  }

  const settled = () => new Promise(done => {
    told.push(done);
    later('settled', () => {});
  });

  document.addEventListener('visibilitychange', () => { if (frame && document.hidden) pass(); });
  addEventListener('beforeprint', () => now());  // on paper all of it has to be right
  return { later, now, settled };
})();
