// The card of a number, a claim or a citation: in the margin beside the line, on a phone as a sheet from below. Pointing
// at one for a moment opens it, so does the focus of the keyboard; a click, a tap or Enter keeps it open until Escape or
// a tap elsewhere. What numbers and claims say comes from the page's card data (records.js), which is loaded on first use.
// Without this script a number is a link to its entry on the page of numbers.
globalThis.cards = (() => {
  'use strict';
  const FILES = JSON.parse(document.currentScript.dataset.files || '{}');
  const WIDE = matchMedia('(min-width: 68.75rem)'), STILL = matchMedia('(prefers-reduced-motion: reduce)'), WAIT = 150, LINGER = 500, LEAVE = 350;  // ms; a table is crossed more often than asked
  const ASKED = '.n-link, .claim-link, a.cite, a.note-ref, math .n[data-n]';
  const card = document.getElementById('card'), settings = () => globalThis.scenario?.get() ?? {};  // no bar: nothing is live
  let data = null, open = null, wanted = null, kept = false, dismissed = false, timer = 0;

  function load() {
    data ??= new Promise((done, failed) => {
      const script = document.createElement('script');
      Object.assign(script, { src: FILES[Object.keys(FILES).find(name => name.startsWith('card-data-'))], onload: () => done(globalThis.cardData), onerror: failed });
      document.head.append(script);
    });
    return data;
  }

  // --- small parts

  function make(name, className, ...parts) {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...parts.filter(part => part !== null && part !== ''));
    return made;
  }

  // The markup is the build's own; texts put into it are escaped in records.js.
  function maths(inner) {
    const holder = document.createElement('template');
    holder.innerHTML = `<math displaystyle="true">${inner}</math>`;
    return holder.content.firstChild;
  }

  function link(href, ...parts) {
    const made = make('a', '', ...parts);
    made.href = href;
    return made;
  }

  const named = ({ symbol, says }) => symbol ? maths(symbol) : says;
  const capital = text => text && text[0].toUpperCase() + text.slice(1);
  const anchorOf = element => element.hash ? decodeURIComponent(element.hash.slice(1)) : '';

  // --- what a number's card holds

  function numberParts(n, asker) {
    const { anchor, tree, places } = globalThis.cardData.ENTRIES.get(n), found = globalThis.cardData.numberCard(tree, settings());
    const lives = found.live ? 'Follows the machine, network and batch that you choose.'
      : found.scope ? `Stays at ${found.scope}, whatever you choose.` : 'Stays, whatever you choose.';
    return {
      title: capital(found.title), tone: asker,
      parts: [make('p', 'card-scope', lives), ...formula(found), ...range(found), ...steps(found), ...inputs(found), also(places, asker),
        make('p', 'card-more', link(`${FILES.numbers}#${anchor}`, 'Its whole trace'))],
    };
  }

  function formula(found) {
    const [own] = found.steps;
    if (!own) return [make('p', 'card-value', make('strong', '', found.text))];
    const equal = '<mo>=</mo>', value = make('span', 'card-input', '= ', make('strong', '', found.text));
    return [make('div', 'card-formula', maths(own.symbol ? own.symbol + equal + own.right : own.right), ' ', maths(`<mrow></mrow>${equal}${own.filled}`), ' ', value)];
  }

  function range({ spread, inputs, otherwise }) {
    if (!spread) return otherwise ? [make('p', 'card-range', `In ${otherwise} of the draws over the ranges of its inputs it has a value.`)] : [];
    const { low, high, gone, swings, more, bars } = spread;
    const lost = gone.map(({ says, share }) => ` ${share ? `In ${share} of the draws` : 'At one end of a range'}: ${says}.`);
    const text = make('p', 'card-range', high ? `From ${low} to ${high}.` : `From ${low} up, without end.`, ...lost);
    if (inputs.length < 2) return [text];
    text.append(swings.length > 1 ? ' Each input alone, at its low end (hollow) and high end:' : ' What moves it, at its low end (hollow) and high end:');
    return [text, make('dl', 'card-swings', ...swings.map((swing, at) => make('div', '',
      make('dt', '', named(swing), swing.label ? ` ${swing.label}` : ''), make('dd', 'card-bar', bar(bars.ends[at], bars.value)), make('dd', '', `${swing.low} to ${swing.high}`)))),
    more ? make('p', 'card-scope', `and ${more} more`) : null];
  }

  // How far an input moves the answer: hollow towards its low end, filled towards its high end. The texts say it too.
  function bar(ends, value) {
    const svg = draw('svg', { viewBox: '0 0 100 12', preserveAspectRatio: 'none', 'aria-hidden': 'true' });
    svg.append(...ends.map((end, at) => draw('rect', { class: at ? 'to-high' : 'to-low', x: 1 + 98 * Math.min(end, value), width: 98 * Math.abs(end - value), y: 3, height: 6 })));
    svg.append(draw('path', { d: `M${(1 + 98 * value).toFixed(2)} 0v12` }));
    return svg;
  }

  function draw(name, attributes) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, typeof value === 'number' ? Number(value.toFixed(2)) : value);
    return made;
  }

  // The formulas that the number's own calls for; deeper ones are in its trace.
  function steps({ steps: [own, ...rest] }) {
    const called = rest.filter(step => own.inputs.includes(step.key));
    if (!called.length) return [];
    return [make('dl', 'card-rows', ...called.map(step => make('div', '',
      make('dt', '', maths(step.symbol), step.label ? ` (${step.label})` : ''),
      make('dd', '', step.text, make('span', 'card-source', maths(`<mo>=</mo>${step.right}`))))))];
  }

  // Inputs that rest on the same row and sources stand together.
  function inputs(found) {
    const groups = new Map();
    for (const input of found.inputs) {
      if (input.v === null && ['choice', 'default'].includes(input.status)) continue;  // which formula holds: seen above
      const name = JSON.stringify([input.row, input.status, input.sources, input.label]);
      groups.set(name, [...(groups.get(name) || []), input]);
    }
    return [...groups.values()].map(parts => group(parts, found.inputs.length === 1 && !found.steps.length));
  }

  function group(parts, alone) {
    const [{ row, label, status, sources }] = parts, notes = [...new Set(parts.map(part => part.note).filter(Boolean))];
    const values = alone ? [] : parts.flatMap((part, at) => [at ? ', ' : '', make('span', 'card-input', part.symbol ? maths(part.symbol) : '', part.symbol ? '\u00a0' : '', part.text)]);
    const about = [status, label || row].filter(Boolean).join(' · ');
    const cited = sources.flatMap(([title, url], at) => [at ? '; ' : about ? ': ' : '', url ? link(url, title) : title]);
    return make('p', 'card-inputs', ...values, make('span', 'card-source', about, ...cited, notes.length ? `. ${capital(notes.join('. '))}` : ''));
  }

  // Where else on the page the same is printed, once for each section and each way of writing it.
  function also(places, asker) {
    const found = new Map();
    for (const n of places) {
      const other = document.getElementById(`n${n}`);
      if (!other || other === asker || other.closest('[hidden]')) continue;
      const section = sectionOf(other), name = `${section}|${other.textContent}`;
      if (!found.has(name)) found.set(name, [other, section]);
    }
    if (!found.size) return null;
    const links = [...found.values()].slice(0, 6).flatMap(([other, section], at) => [at ? ', ' : '', link(`#${other.id}`, other.textContent), section ? ` in “${section}”` : '']);
    return make('p', 'card-also', 'Also ', ...links, '.');
  }

  function sectionOf(element) {
    const before = [...document.querySelectorAll('main h2[id], main h3[id]')].filter(heading => heading.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING);
    return before.length ? before[before.length - 1].textContent : '';
  }

  // --- a claim's card

  function claimParts(name, asker) {
    const [condition, words] = globalThis.cardData.DATA.claims[name];
    const found = globalThis.cardData.claimCard(condition, settings()), { lines, holds, margin, live, near } = found;
    const nearest = lines.length > 1 ? ' in the comparison that decides' : '', here = live ? ' here' : '';
    const verdict = holds === null ? 'It cannot be decided here.'
      : near ? `It ${holds ? `holds${here}` : 'does not hold here'}, but is nearly a tie: the sides are ${model.percent(Math.abs(margin), 2)} apart${nearest}.`
      : holds ? `It holds${here}, by a margin of ${model.percent(margin, 2)}${nearest}.` : `It does not hold here; it lacks ${model.percent(-margin, 2)}${nearest}.`;
    return {
      title: live ? 'A claim about your machine' : 'A claim, checked at every build', tone: asker,
      parts: [...lines.map(({ joint, left, right, values, sign }) => make('div', 'card-claim',
        joint ? make('p', 'card-scope', joint) : '', make('div', 'card-formula', maths(left), ' ', maths(`<mrow></mrow>${right}`)), make('p', 'card-value', `${values[0]} ${sign} ${values[1]}`))),
      make('p', 'card-range', verdict), make('p', 'card-range', ...ranged(found)),
      ...words.map(([word, says]) => make('p', 'card-word', make('i', '', word.replaceAll('_', ' ')), `: ${says}`)),
      make('p', 'card-more', link(`${FILES.numbers}#${asker ? anchorOf(asker) : ''}`, 'Its entry'))],
    };
  }

  // Whether the verdict stands while the inputs go through their ranges.
  function ranged({ holds, over, flips, share }) {
    const so = holds ? 'holds' : 'stays so', not = holds ? 'does not' : 'changes', part = share ? `${share} flip` : 'none flips';
    if (over === 'exact') return ['No input of it has a range.'];
    if (over === 'holds') return [`It ${so} over the whole range of its inputs, with all at their worst ends too.`];
    if (over === 'together') return [`It ${so} over the range of each input alone; with all at their worst ends it ${not}. Of the joint draws, ${part} it.`];
    const places = flips.slice(0, 3).flatMap(({ symbol, says, label, rises, to, stands, low, high }, at) => [at ? ', or ' : '', named({ symbol, says }), label ? ` (${label})` : '',
      ` ${rises ? 'rises' : 'falls'} to ${to} (from ${stands}; it may be ${low} to ${high})`]);
    const farther = flips.length > 3 ? `; ${flips.length - 3} more such places are farther off` : '';
    return [holds ? 'It does not hold over the whole range: it flips where ' : 'It does not stay so over the whole range: it flips where ', ...places, `${farther}. Of the joint draws, ${part} it.`];
  }

  // --- a citation's or a note's card: what stands in the list, or in the note

  function quoted(asker) {
    const entry = document.getElementById(anchorOf(asker));
    if (!entry) return null;
    const copy = entry.cloneNode(true), note = asker.matches('.note-ref');
    copy.querySelectorAll('.back, .note-back').forEach(part => part.remove());
    copy.querySelectorAll('[id]').forEach(part => part.removeAttribute('id'));
    const parts = [make('p', 'card-entry', ...copy.childNodes)];
    if (!note) parts.push(make('p', 'card-more', link(asker.href, 'In the list of references')));
    return { title: `${note ? 'Note' : 'Reference'} ${note ? asker.textContent : [...entry.parentNode.children].indexOf(entry) + 1}`, tone: null, parts };
  }

  async function contents(asker) {
    if (asker.matches('.cite, .note-ref')) return quoted(asker);
    await load();
    const claim = asker.closest('.claim');
    if (asker.matches('.claim-link, .claim')) return claimParts(claim.dataset.claim, claim.querySelector('.claim-link'));
    return numberParts(asker.dataset.n || anchorOf(asker).slice(1), asker);
  }

  // --- opening and closing

  async function show(asker, { keep = false, into = false } = {}) {
    clearTimeout(timer);
    wanted = asker;
    const found = await contents(asker);
    if (!found || wanted !== asker) return;  // the reader has gone on meanwhile
    if (open && open !== asker) mark(open, false);
    open = asker;
    kept = keep || (kept && !card.hidden);
    fill(found);
    mark(asker, true);
    place();
    if (into) card.focus({ preventScroll: true });
  }

  function fill({ title, tone, parts }) {
    const close = make('button', 'card-close', '×');
    close.type = 'button';
    close.setAttribute('aria-label', 'Close');
    close.addEventListener('click', () => shut(true));
    const heading = make('p', 'card-title', title);
    heading.id = 'card-title';
    parts.find(part => part)?.setAttribute('id', 'card-says');
    card.className = `card ${[...(tone?.querySelector('.n')?.classList || [])].filter(name => name.startsWith('n-')).join(' ')}`.trim();
    card.replaceChildren(make('div', 'card-head', heading, close), ...parts.filter(Boolean));
    card.hidden = false;
    card.scrollTop = 0;
  }

  function mark(asker, expanded) {
    asker.classList.toggle('asked', expanded);
    if (!asker.matches('a')) return;
    for (const [name, value] of [['aria-expanded', 'true'], ['aria-controls', 'card'], ['aria-describedby', 'card-says']]) {
      if (expanded) asker.setAttribute(name, value);
      else asker.removeAttribute(name);
    }
  }

  // Beside the line, but inside the window; below the line where a wide table or figure fills the margin.
  function place() {
    card.style.top = '';
    if (!open || card.hidden) return;
    if (!WIDE.matches) return uncover();
    const line = open.getClientRects()[0] || open.getBoundingClientRect(), main = card.offsetParent.getBoundingClientRect();
    // Never above the lower edge of what covers the page, wherever that is: at the top of the page the masthead too.
    const bar = document.querySelector('.scenario'), top = Math.max(bar ? bar.getBoundingClientRect().bottom : 0, 0) + 8;
    const beside = open.closest('.wide') ? line.bottom + 8 : line.top - 6, room = innerHeight - 12 - card.offsetHeight;
    card.style.top = `${Math.max(Math.min(beside, room), top) - main.top}px`;
  }

  // A sheet comes up from below: the line that was asked moves above it.
  function uncover() {
    const below = open.getBoundingClientRect().bottom + 24 - card.getBoundingClientRect().top;
    if (below > 0) scrollBy({ top: below, behavior: STILL.matches ? 'instant' : 'smooth' });
  }

  function shut(back = false) {
    clearTimeout(timer);
    wanted = null;
    if (card.hidden) return;
    const inside = card.contains(document.activeElement) || document.activeElement === card;
    card.hidden = true;
    kept = false;
    if (open) mark(open, false);
    if (open && (back || inside) && inside) open.focus?.({ preventScroll: true });
    open = null;
  }

  function later(run, wait) {
    clearTimeout(timer);
    timer = setTimeout(run, wait);
  }

  // --- what the reader does

  const askerOf = target => target instanceof Element ? target.closest(ASKED) : null;
  const beside = asker => asker.matches('.note-ref') && WIDE.matches;  // the note stands there already

  function wire() {
    const main = document.getElementById('main');
    card.tabIndex = -1;
    card.setAttribute('role', 'dialog');
    card.setAttribute('aria-labelledby', 'card-title');
    main.addEventListener('pointerover', event => {
      if (event.pointerType !== 'mouse') return;
      const asker = askerOf(event.target);
      if (card.contains(event.target)) clearTimeout(timer);
      else if (asker && asker !== open && !beside(asker)) later(() => show(asker), asker.closest('td, th') ? LINGER : WAIT);
    });
    main.addEventListener('pointerout', event => {
      if (event.pointerType !== 'mouse' || card.contains(event.relatedTarget) || askerOf(event.relatedTarget) === (askerOf(event.target) || NaN)) return;
      if (askerOf(event.target) || card.contains(event.target)) later(() => kept || card.contains(document.activeElement) || shut(), LEAVE);
    });
    main.addEventListener('focusin', event => {
      const asker = askerOf(event.target);
      if (asker && asker.matches(':focus-visible') && !beside(asker)) later(() => show(asker), WAIT);  // without moving the focus
      else if (!asker && !card.contains(event.target)) shut();
    });
    main.addEventListener('click', onClick);
    document.addEventListener('keydown', event => { if (event.key === 'Escape') shut(true); });
    document.addEventListener('pointerdown', event => {
      if (card.contains(event.target) || askerOf(event.target)) return;
      dismissed = !card.hidden;
      shut();
    });
    document.addEventListener('scenario', () => { if (open && !card.hidden) show(open); });
    addEventListener('resize', place);
  }

  function onClick(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || card.contains(event.target)) return;
    const asker = askerOf(event.target), touch = event.pointerType === 'touch';
    if (asker?.matches('.cite, .note-ref')) {
      if (!touch || beside(asker)) return;  // a mouse follows the link, a finger sees the card first
    } else if (!asker) {
      const claim = event.target.closest('.claim');
      if (!claim || dismissed || event.target.closest('a, button, figure, table') || !getSelection().isCollapsed) return;
      show(claim, { keep: true });
      return;
    }
    event.preventDefault();
    if (asker === open && kept) shut();
    else show(asker, { keep: true, into: event.detail === 0 });
  }

  if (card) wire();
  return { show, shut, load };
})();
