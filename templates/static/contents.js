// On every page: the contents say which section is being read, and what scrolls sideways inside itself can be reached by
// keyboard.
(() => {
  'use strict';
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const SIDEWAYS = 'main .equation, main pre, main table:not(.table-scroll table), .entry-formula, .entry-range, .entry-inputs li, .entry dd';
  const nav = document.getElementById('contents');

  const reachable = new ResizeObserver(entries => {
    const wide = entries.map(({ target }) => target.scrollWidth > target.clientWidth + 1);  // measured before anything is set
    entries.forEach(({ target }, i) => {
      if (wide[i]) target.tabIndex = 0;
      else target.removeAttribute('tabindex');
    });
  });

  // A section is read from when its heading has risen into the upper quarter until the next one's has, however fast.
  function watchSections() {
    const links = new Map(all('ol a', nav).map(link => [link.getAttribute('href').slice(1), link])), risen = new Set();
    const observer = new IntersectionObserver(entries => {
      for (const { target, isIntersecting } of entries) risen[isIntersecting ? 'add' : 'delete'](target.id);
      follows(links.get([...links.keys()].findLast(id => risen.has(id))));
    }, { rootMargin: '1000000px 0px -75% 0px' });
    for (const id of links.keys()) if (document.getElementById(id)) observer.observe(document.getElementById(id));
    nav.addEventListener('click', event => {
      if (event.target.closest('a') && nav.matches(':popover-open')) nav.hidePopover();
    });
  }

  // The entry of the section that is being read, and the sub-entries beside it; above the first there is none.
  function follows(link) {
    const before = nav.querySelector('[aria-current]');
    if (link === before) return;
    before?.removeAttribute('aria-current');
    link?.setAttribute('aria-current', 'true');
    let head = link?.closest('li'), inside = false;
    while (head?.matches('.level-3')) head = head.previousElementSibling;
    for (const item of all('li', nav)) {
      if (item.matches('.level-2')) inside = item === head;
      item.classList.toggle('in', inside);
    }
    if (!link) return;
    const above = link.offsetTop - nav.scrollTop, room = nav.clientHeight - link.offsetHeight;
    if (above < 0 || above > room) nav.scrollTop = link.offsetTop - room / 2;
  }

  for (const part of all(SIDEWAYS)) reachable.observe(part);
  if (nav) watchSections();
})();
