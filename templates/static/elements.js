// Small parts that scripts put together: elements, formulas, links, drawings.
globalThis.elements = (() => {
  'use strict';

  function make(name, className, ...parts) {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...parts.filter(part => part !== null && part !== ''));
    return made;
  }

  // The markup is the build's own; texts put into it are escaped in records.js.
  function maths(inner, large = true) {
    const holder = document.createElement('template');
    holder.innerHTML = `<math${large ? ' displaystyle="true"' : ''}>${inner}</math>`;
    return holder.content.firstChild;
  }

  function link(href, ...parts) {
    const made = make('a', '', ...parts);
    made.href = href;
    return made;
  }

  function draw(name, attributes) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, typeof value === 'number' ? Number(value.toFixed(2)) : value);
    return made;
  }

  const named = ({ symbol, says }) => symbol ? maths(symbol) : says;
  const capital = text => text && text[0].toUpperCase() + text.slice(1);

  return { make, maths, link, draw, named, capital };
})();
