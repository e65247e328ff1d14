// What a mark of a live figure says: the nearest to the pointer or finger, or the next one by arrow key; and what
// choosing it does, by click, by Enter, or by the button that a finger finds in what is said.
//
//   marks.explain(live, hold, {light, choose})   hold is the element around the picture; light(id) shows the thing
//                                                pointed at in every panel, choose(changes) makes it the scenario's
globalThis.marks = (() => {
  'use strict';
  const REACH = 22, TOUCH = 14, AFTER = 3;  // px; a line comes after the dots on it
  const LABEL = 'The marks of the figure: arrow keys read them one by one, Enter reads the page with one';

  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.setAttribute('role', 'status');
  tip.hidden = true;
  Object.assign(tip.style, { position: 'fixed', zIndex: 20 });
  document.body.append(tip);
  const hide = () => { tip.hidden = true; };
  addEventListener('scroll', hide, { passive: true, capture: true });

  // What was lit may have been drawn anew since: a mark is the same when it stands there and says the same.
  const same = (mark, other) => Boolean(mark && other) && mark.item.tooltip === other.item.tooltip && Math.hypot(mark.x - other.x, mark.y - other.y) < 2;

  function explain(live, hold, { light, choose }) {
    let at = null;
    const pick = mark => choice(mark) && choose(choice(mark));
    const point = (mark, touched) => {
      at = mark;
      light(mark?.item.datum.id ?? '');
      hold.style.cursor = choice(mark) ? 'pointer' : '';
      if (mark) say(mark, hold, touched && choice(mark) ? () => { point(null); pick(mark); } : null);
      else hide();
    };
    hold.tabIndex = 0;
    hold.setAttribute('role', 'group');
    hold.setAttribute('aria-label', LABEL);
    hold.addEventListener('pointermove', event => event.pointerType === 'mouse' && point(nearest(live, hold, event, REACH)));
    hold.addEventListener('pointerleave', event => event.pointerType === 'mouse' && point(null));
    hold.addEventListener('click', event => {
      if (event.pointerType === 'mouse') return pick(nearest(live, hold, event, TOUCH));
      const mark = nearest(live, hold, event, 2 * REACH);
      return point(!tip.hidden && same(mark, at) ? null : mark, true);
    });
    document.addEventListener('pointerdown', event => {
      if (hold.contains(event.target) || tip.contains(event.target)) return;
      at = null;
      light('');
      if (!event.target.closest?.('.vega-embed')) hide();  // another figure hides or replaces what is said itself
    });
    hold.addEventListener('blur', event => tip.contains(event.relatedTarget) || point(null));
    hold.addEventListener('keydown', event => {
      const all = once(live, marksOf(live)), itself = all.findIndex(mark => mark.item === at?.item);
      const here = itself < 0 ? all.findIndex(mark => same(mark, at)) : itself;  // two marks may stand in one place
      const to = { ArrowRight: here + 1, ArrowLeft: here < 0 ? all.length - 1 : here - 1, Home: 0, End: all.length - 1 }[event.key];
      if (event.key === 'Escape') point(null);
      else if (event.key === 'Enter') pick(all[here]);
      else if (all[to]) point(all[to]);
      else return;
      event.preventDefault();
    });
  }

  // A figure that shows one thing in several panels lights it in all of them: arrow keys come to it once, in the first.
  function once({ spec }, all) {
    const seen = new Set(), shared = spec.signals.some(({ name }) => name.endsWith('_lit'));
    return shared ? all.filter(({ item: { datum: { id } } }) => !id || !seen.has(id) && seen.add(id)) : all;
  }

  // A dot of a path stands for a T, a bar for the word of a choice, any mark for what its `set` says: choosing it makes
  // that the scenario's.
  function choice(mark) {
    const { t, key, word, set } = mark?.item.datum || {};
    return set ? set : t ? { T: String(t) } : key && word ? { [key]: word } : null;
  }

  // --- where marks are

  const marksOf = live => inOrder(live).sort((one, other) => one.x - other.x || one.y - other.y);

  function inOrder({ view }) {
    const found = [], { left, top } = view.padding();
    const visit = (group, x, y) => group.items.forEach(part => {
      if (part.marktype === 'group') part.items.forEach(inner => visit(inner, x + (inner.x || 0), y + (inner.y || 0)));
      else if (part.marktype !== 'line') part.items.filter(item => item.tooltip).forEach(item => found.push(placed(item, x, y)));
      else if (part.items[0]?.tooltip) found.push(drawn(part.items, x, y));
    });
    view.scenegraph().root.items.forEach(item => visit(item, left, top));
    return found;
  }

  // A mark: what it is, its middle, and where of it a place is nearest, with how far that is.
  function placed(item, left, top) {
    const { x1, x2, y1, y2 } = item.bounds, x = left + (x1 + x2) / 2, y = top + (y1 + y2) / 2;
    const beyond = (from, to, half) => Math.max(0, Math.abs(from - to) - half);
    return { item, x, y, to: (px, py) => ({ x, y, far: Math.hypot(beyond(px, x, (x2 - x1) / 2), beyond(py, y, (y2 - y1) / 2)) }) };
  }

  // A line stands where it ends, and says the same at each of its places.
  function drawn(items, left, top) {
    const places = items.map(({ x, y }) => ({ x: left + x, y: top + y })), end = places.at(-1);
    const to = (px, py) => places.slice(1).reduce((best, place, i) => {
      const near = onto(places[i], place, px, py);
      return near.far < best.far ? near : best;
    }, { ...end, far: Math.hypot(px - end.x, py - end.y) + AFTER });
    return { item: items[0], ...end, to };
  }

  function onto(from, until, px, py) {
    const dx = until.x - from.x, dy = until.y - from.y, length = dx * dx + dy * dy || 1;
    const part = Math.max(0, Math.min(1, ((px - from.x) * dx + (py - from.y) * dy) / length));
    const x = from.x + part * dx, y = from.y + part * dy;
    return { x, y, far: Math.hypot(px - x, py - y) + AFTER };
  }

  function nearest(live, hold, event, reach) {
    const box = hold.querySelector('svg').getBoundingClientRect();
    let best = null, least = reach;
    for (const mark of inOrder(live)) {
      const { x, y, far } = mark.to(event.clientX - box.left, event.clientY - box.top);
      if (far <= least) [best, least] = [{ ...mark, x, y }, far];  // of two in one place the upper one
    }
    return best;
  }

  // --- what is said

  function say(mark, hold, chosen) {
    const box = hold.querySelector('svg').getBoundingClientRect(), [first, ...rest] = String(mark.item.tooltip).split('\n');
    const lead = document.createElement('strong');
    lead.textContent = first;
    tip.replaceChildren(lead, ...rest.map(text => Object.assign(document.createElement('div'), { textContent: text })));
    if (chosen) tip.append(button(chosen));
    tip.style.pointerEvents = chosen ? 'auto' : 'none';
    tip.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = tip, room = document.documentElement.clientWidth;
    const x = Math.max(4, Math.min(box.left + mark.x - width / 2, room - width - 4));
    const above = box.top + mark.y - height - 14;
    Object.assign(tip.style, { left: `${x}px`, top: `${above > 4 ? above : box.top + mark.y + 16}px` });
  }

  function button(chosen) {
    const made = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Read with this' });
    made.addEventListener('click', chosen);
    return made;
  }

  return { explain };
})();
