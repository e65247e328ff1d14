// The bar: its controls follow the scenario, and say what the reader changes in them. What they offer is in choices.js.
//
//   const controls = bar(form, mine, does)   mine: own.js; does: { change(control) -> whether it was taken, reset(), copy() }
//   controls.show(settings, keep)            keep: what the reader is typing and has not finished stays
//   controls.clear()                         what was wrong is wrong no more
globalThis.bar = (form, mine, does) => {
  'use strict';
  const root = document.documentElement, more = form.querySelector('.more'), brief = form.querySelector('.brief');
  const typed = new Set();  // what is in it has not been taken yet

  // Only what the page is printed with stands in it: before this script runs nobody can choose.
  function offer(control, groups) {
    const { value } = control;
    control.replaceChildren(...groups.map(([label, options]) => {
      const group = Object.assign(document.createElement('optgroup'), { label });
      group.append(...options.map(([id, name]) => new Option(name, id)));
      return group;
    }));
    control.value = value;
  }
  for (const [name, groups] of Object.entries(choices)) offer(form.elements[name], groups);

  function offerFormats({ machine = model.SCHEMA.default.machine, format }) {
    const control = form.elements.format, row = model.LAYERS.machines[machine];  // none: the reader's own
    const own = row ? row.format : 'bf16', formats = Object.keys(row ? row.peak : model.LAYERS.formats).filter(name => name !== own);
    if (format && format !== own && !formats.includes(format)) formats.push(format);
    if (!same([...control.options].map(({ text }) => text), [own, ...formats])) {
      control.replaceChildren(new Option(own, ''), ...formats.map(name => new Option(name, name)));
    }
    const value = format && format !== own ? format : '';
    if (control.value !== value) control.value = value;
  }

  const same = (some, others) => some.length === others.length && some.every((one, i) => one === others[i]);

  function show(settings, keep) {
    if (!keep) typed.clear();
    offerFormats(settings);
    mine.show(settings, typed);
    for (const control of form.elements) {
      if (!control.name || control.name === 'format' || control.closest('[data-own]') || mine.drafting(control.name)) continue;
      const value = settings[control.name] ?? model.SCHEMA.default[control.name];
      if (control.localName === 'select') addOption(control, value);
      if (value !== undefined && control.value !== String(value) && !typed.has(control)) control.value = value;
    }
  }

  function addOption(control, value) {
    if (value !== undefined && ![...control.options].some(option => option.value === value)) control.add(new Option(value, value));
  }

  function clear() {
    typed.clear();
    for (const control of form.elements) control.setCustomValidity?.('');
  }

  form.addEventListener('change', ({ target }) => {
    if (!target.name) return;
    typed.delete(target);
    target.setCustomValidity('');
    does.change(target);
  });
  form.addEventListener('input', ({ target }) => typed.add(target));
  form.addEventListener('submit', event => event.preventDefault());

  // --- the panel: it covers the text, so Escape, or a click outside, puts it away. In a narrow window it holds all
  // controls, and the bar says in brief what they are set to.

  brief.addEventListener('click', () => { more.open = !more.open; });
  more.addEventListener('toggle', () => brief.setAttribute('aria-expanded', more.open));
  addEventListener('keydown', event => {
    if (event.key !== 'Escape' || !more.open) return;
    const narrow = brief.checkVisibility(), panel = narrow ? form : more;
    if (panel.contains(document.activeElement)) (narrow ? brief : more.querySelector('summary')).focus();
    more.open = false;
  });
  document.addEventListener('pointerdown', event => { if (!form.contains(event.target)) more.open = false; });

  // --- its buttons

  const actions = { reset: does.reset, copy, theme: switchTheme };
  form.addEventListener('click', event => {
    const button = event.target.closest('[data-action]');
    if (button) actions[button.dataset.action](button);
  });

  async function copy(button) {
    if (!await does.copy()) return;
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy link'; }, 1500);
  }

  function switchTheme() {
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
    try {
      localStorage.setItem('theme', root.dataset.theme);
    } catch {
      // No storage: the choice holds for this visit.
    }
  }

  return { show, clear };
};
