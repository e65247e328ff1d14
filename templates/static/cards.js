// The card of a number, a claim or a citation: in the margin beside the line, on a phone as a sheet from below. Pointing
// at one for a moment opens it, so does the focus of the keyboard; a click, a tap or Enter keeps it open until Escape or
// a tap elsewhere. What it holds: numbercard.js, claimcard.js; the data is loaded on first use.
// Without this script a number is a link to its entry on the page of numbers.
globalThis.cards = (() => {
  'use strict';
  const FILES = JSON.parse(document.currentScript.dataset.files || '{}');
  const WIDE = matchMedia('(min-width: 68.75rem)'), STILL = matchMedia('(prefers-reduced-motion: reduce)'), WAIT = 150, LINGER = 500, LEAVE = 350;  // ms; a table is crossed more often than asked
  const ASKED = '.n-link, .claim-link, a.cite, a.note-ref, math .n[data-n]';
  const { make, link } = elements, anchorOf = element => element.hash ? decodeURIComponent(element.hash.slice(1)) : '';
  const card = document.getElementById('card'), settings = () => globalThis.scenario?.get() ?? {};  // no bar: nothing is live
  let data = null, open = null, wanted = null, kept = false, dismissed = false, timer = 0;

  function load() {
    data ??= new Promise((done, failed) => {
      const scripts = Object.keys(FILES).filter(name => name.startsWith('card-data')).map(name => Object.assign(document.createElement('script'), { src: FILES[name], async: false, onerror: failed }));
      scripts.at(-1).onload = () => done(globalThis.cardData);  // they run in their order
      document.head.append(...scripts);
    });
    return data;
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
    if (asker.matches('.claim-link, .claim')) {
      const mark = claim.querySelector('.claim-link');
      return claimCard(claim.dataset.claim, mark, settings(), `${FILES.numbers}#${mark ? anchorOf(mark) : ''}`);
    }
    return numberCard(asker.dataset.n || anchorOf(asker).slice(1), asker, settings(), FILES.numbers);
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
    card.querySelectorAll('.card-formula').forEach(shrink);
  }

  // A formula wider than the card is set smaller, as far as it stays readable.
  function shrink(formula) {
    for (let size = 0.95; size > 0.79 && formula.scrollWidth > formula.clientWidth; size -= 0.05) formula.style.fontSize = `${size}rem`;
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
