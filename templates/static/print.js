// What paper needs and a window does not: with what the report was read and its link on the first page, the still
// pictures that wait to be near, and at the end what the cards say and where each link leads. Put there before printing,
// taken away after.
(() => {
  'use strict';
  const { make, maths } = elements, main = document.getElementById('main'), all = selector => [...document.querySelectorAll(selector)];

  function scenarioLine() {
    const { machine, format, network, T, devices } = scenario.said();
    const address = location.protocol === 'file:' ? 'index.html' : location.href.split('#')[0];
    return make('p', 'printed', `Read with ${machine} in ${format} and ${network}, T = ${T} tokens for each visit of a weight, ${devices}: `,
      make('span', 'printed-link', address + scenario.link()));
  }

  // Links to the same place share a number.
  function endnotes() {
    const places = new Map();
    for (const link of all('main a[href^="http"]')) {
      if (!places.has(link.href)) places.set(link.href, places.size + 1);
      link.dataset.printed = places.get(link.href);
    }
    const list = make('ol', '', ...[...places.keys()].map(href => make('li', '', href)));
    return make('section', 'printed printed-notes', make('h2', '', 'Where the links lead'), list);
  }

  function formula({ steps: [own] }) {
    if (!own?.right) return '';
    const equal = '<mo>=</mo>', filled = own.filled && own.filled !== own.right ? equal + own.filled : '';
    return maths(`${own.symbol ? own.symbol + equal : ''}${own.right}${filled}`, false);
  }

  // The cards of the numbers that follow the reader; the others have theirs, unchanged, on the page of numbers.
  function cardNotes() {
    const found = new Map();
    for (const link of all('main .n-link:has(> .live)')) {
      const entry = !link.closest('[hidden]') && cardData.ENTRIES.get(link.hash.slice(2));
      if (entry && !found.has(entry.anchor)) found.set(entry.anchor, cardData.numberCard(entry.tree, scenario.get()));
    }
    const list = make('ol', '', ...[...found.values()].map(one => {
      const range = one.spread?.high ? ` From ${one.spread.low} to ${one.spread.high}.` : '';
      return make('li', '', make('strong', '', one.text), ` ${one.title}. `, formula(one), range);
    }));
    return make('section', 'printed printed-notes', make('h2', '', 'How the numbers on your machine come about'), list);
  }

  function prepare() {
    undo();
    main.querySelector('h1').after(scenarioLine());
    if (globalThis.cardData) main.append(cardNotes());
    main.append(endnotes());
    all('main img[loading]').forEach(picture => { picture.loading = 'eager'; });
  }

  function undo() {
    all('.printed').forEach(part => part.remove());
    all('[data-printed]').forEach(link => delete link.dataset.printed);
  }

  // What cards say is loaded on first use; the keys that print begin with one that says so in time.
  addEventListener('keydown', ({ key }) => { if (key === 'Control' || key === 'Meta') cards.load(); });
  addEventListener('beforeprint', prepare);
  addEventListener('afterprint', undo);
})();
