// What paper needs and a window does not: with what the report was read and its link on the first page, the still
// pictures that wait to be near, and at the end where each link leads. Put there before printing, taken away after.
(() => {
  'use strict';
  const main = document.getElementById('main'), all = selector => [...document.querySelectorAll(selector)];

  function make(name, className, ...parts) {
    const made = document.createElement(name);
    made.className = className;
    made.append(...parts);
    return made;
  }

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

  function prepare() {
    undo();
    main.querySelector('h1').after(scenarioLine());
    main.append(endnotes());
    all('main img[loading]').forEach(picture => { picture.loading = 'eager'; });
  }

  function undo() {
    all('.printed').forEach(part => part.remove());
    all('[data-printed]').forEach(link => delete link.dataset.printed);
  }

  addEventListener('beforeprint', prepare);
  addEventListener('afterprint', undo);
})();
