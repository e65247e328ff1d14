// Reads the scenario from the link, keeps bar, link, sentences and figures in step with it. No framework: the model
// answers (model.js), the page's own script says what stands where (index.js), this file carries it onto the page.
'use strict';
(() => {
  const find = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const form = find('#scenario'), said = find('#said'), refused = find('#refused'), root = document.documentElement;

  // What scrolls sideways inside itself can be reached by keyboard.
  const reachable = new ResizeObserver(entries => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth + 1) target.tabIndex = 0;
      else target.removeAttribute('tabindex');
    }
  });
  for (const part of all('main .equation, main pre, main table:not(.table-scroll table), .entry-formula, .entry-range, .entry-inputs li, .entry dd')) reachable.observe(part);
  watchSections();
  if (!form) return;

  const mine = own(form);
  const names = Object.fromEntries(all('option', form).filter(({ value }) => value && value !== 'own').map(option => [option.value, option.textContent.trim()]));

  let settings = {}, at = '', base = {}, memo = new Map(), live, frame = 0, turn = 0;

  // --- what is asked

  const question = (key, given) => given
    ? model.ask(key, model.baseOf(model.over(settings, given), true), new Map())
    : model.ask(key, base, memo);

  function differs() {
    const keys = Object.keys(model.differing(settings));
    const kinds = new Set(keys.map(key => key === 'network' || ['d', 'L', 'heads', 'kv_heads', 'd_ff', 'vocab'].includes(key) ? 'network'
      : ['T', 's', 'micro_batches', 'devices'].includes(key) ? 'batch'
        : ['machine', 'format', 'peak', 'bandwidth', 'capacity', 'fabric'].includes(key) ? 'machine' : 'here'));
    return kinds.size === 1 ? [...kinds][0] : 'here';
  }

  // What a visit serves: a network without a text learns from examples.
  const things = label => label?.[0] === 'token' && base.family.w === 'counted' ? ['example', 'examples', 0, 0] : label;

  // --- the bar

  const native = () => settings.machine === 'own' ? null : model.LAYERS.machines[settings.machine ?? model.SCHEMA.default.machine];

  function offerFormats() {
    const control = form.elements.format, row = native();
    const formats = Object.keys(row ? row.peak : model.LAYERS.formats);
    const own = row ? row.format : 'bf16';
    const options = [['', `${own}`], ...formats.filter(format => format !== own).map(format => [format, format])];
    if (settings.format && !options.some(([id]) => id === settings.format)) options.push([settings.format, settings.format]);
    control.replaceChildren(...options.map(([id, name]) => new Option(name, id)));
    control.value = settings.format && settings.format !== own ? settings.format : settings.format === own ? '' : '';
  }

  function showControls(how) {
    offerFormats();
    mine.show(settings);
    for (const control of form.elements) {
      if (!control.name || control.name === 'format' || control.closest('[data-own]') || mine.drafting(control.name)) continue;
      const value = settings[control.name] ?? model.SCHEMA.default[control.name];
      if (control.localName === 'select') addOption(control, value);
      const typing = how === 'reader' && document.activeElement === control;
      if (value !== undefined && control.value !== String(value) && !typing) control.value = value;
    }
  }

  function addOption(control, value) {
    if (value !== undefined && ![...control.options].some(option => option.value === value)) {
      control.add(new Option(value, value));
    }
  }

  // --- the reader's own row of a table, and names that follow the reader: <span data-choice="machine">

  function paintNames() {
    const now = { ...model.SCHEMA.default, ...settings };
    for (const place of all('[data-choice]')) place.textContent = nameOf(place.dataset.choice);
    for (const link of all(':is(.table tbody th, .presets) a[href^="#v="]')) {
      const asked = [...new URLSearchParams(link.getAttribute('href').slice(1))].filter(([key]) => key !== 'v' && key !== 'at');
      const yours = asked.length > 0 && asked.every(([key, value]) => String(now[key]) === value);
      (link.closest('tr') ?? link).classList.toggle('yours', yours);
    }
  }

  function nameOf(choice) {
    const value = settings[choice] ?? model.SCHEMA.default[choice], title = names[value] ?? value;
    return choice === 'machine' || choice === 'network' ? mine.called(choice, settings, title) : title;
  }

  // The way to another page of text takes the scenario along.
  const ways = new Map(all('a[data-page], a.ref:not([href^="#"])').map(link => [link, link.getAttribute('href').split('#')]));

  function paintLinks() {
    for (const [link, [page, place]] of ways) link.setAttribute('href', page + model.writeLink(settings, place));
  }

  // --- one change, all of the page

  function paint(how) {
    showControls(how);
    if (how !== 'printed') live.write(differs());
    paintNames();
    paintLinks();
    if (how === 'reader') afterFrame(tellFigures);
    else tellFigures();
  }

  function tellFigures() {
    globalThis.figures?.update({ base, memo, settings, question });
    document.dispatchEvent(new CustomEvent('scenario', { detail: { settings } }));
  }

  // Sentences first: figures and cards wait for the frame that shows them, and for the last of several changes.
  function afterFrame(run) {
    cancelAnimationFrame(frame);
    clearTimeout(turn);
    frame = requestAnimationFrame(() => { turn = setTimeout(run); });
  }

  function apply(next, how) {
    const tried = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined && value !== ''));
    if (tried.d ?? tried.L) tried.network ??= 'own';  // a link may leave the word out
    const inputs = model.baseOf(tried);
    settings = model.differing(tried);
    base = inputs;
    memo = new Map();
    paint(how);
    if (how === 'reader') {
      const link = model.writeLink(settings, at);
      history.pushState({ reader: settings, at }, '', link || location.pathname + location.search);
      announce();
    }
  }

  // With what the page is read, for paper.
  function inWords() {
    const { batch } = model.SCHEMA, countOf = key => model.exact(Number(settings[key] ?? batch[key]));
    const devices = countOf('devices');
    return { machine: nameOf('machine'), network: nameOf('network'), format: question('format').w, T: countOf('T'),
      devices: devices === '1' ? 'one device' : `${devices} devices` };
  }

  // One announcement a change: what the figure shows that the reader acts on, else the step, then what is in view.
  function announce() {
    const { root: figure, acting } = globalThis.figures?.looked() ?? {}, found = figure ? finding(figure) : '';
    tell(acting && found ? found : `${ofTheStep()} ${found}`.trim());
  }

  function ofTheStep() {
    const floor = question('T_min'), [first, ...rest] = nameOf('machine');
    const words = floor.s ? model.STATES[floor.s] : `the step reaches the balance at ${model.count(floor.v, 3, things(['token', 'tokens', 0, 0]))} per weight visit`;
    return `${first.toUpperCase()}${rest.join('')}, ${nameOf('network')}: ${words}.`;
  }

  // What a figure finds on this scenario: the sentences of its caption that follow the reader, as they are read now.
  function finding(figure) {
    const following = all('figcaption [data-claim]', figure).filter(({ dataset }) => live.follows(dataset.claim));
    const read = claim => [...claim.childNodes].filter(part => !part.hidden).map(part => part.textContent).join('');
    return following.map(read).join(' ').replace(/\s+/g, ' ').trim();
  }

  function tell(words) {
    if (said.textContent !== words) said.textContent = words;
  }

  function refuse(error) {
    if (!(error instanceof model.Refused)) throw error;
    refused.textContent = `This link was not followed, and the page stands as it was published: ${error.message}.`;
    refused.hidden = false;
  }

  // What a control of a figure asks for; where it cannot be, the control goes back and the reader is told.
  function offer(changes, how = 'reader') {
    try {
      apply(model.over(settings, changes), how);
    } catch (error) {
      if (!(error instanceof model.Refused)) throw error;
      tell(`Not taken: ${error.message}.`);
      tellFigures();
    }
  }

  function fromLink() {
    const fragment = location.hash.slice(1);
    let link = null;
    mine.forget();
    refused.hidden = true;
    try {
      link = model.readLink(fragment);
    } catch (error) {
      refuse(error);
      at = '';
      return apply({}, 'link');
    }
    if (link) {
      at = link.at;
      apply(link.settings, 'link');
      if (at) document.getElementById(at)?.scrollIntoView();
    } else {
      // A plain anchor keeps the scenario: the full link takes its place in the address bar, the jump has happened.
      at = fragment;
    }
    const kept = Object.keys(settings).length ? model.writeLink(settings, at) : location.href;
    history.replaceState({ reader: settings, at }, '', kept);
    return undefined;
  }

  // Back and forward bring what an entry was read with; an entry that says nothing of it is a new jump.
  function fromHistory({ state }) {
    if (!state?.reader) return;
    mine.forget();
    refused.hidden = true;
    at = state.at;
    apply(state.reader, 'link');
    announce();
  }

  form.addEventListener('change', event => {
    const control = event.target;
    if (!control.name) return;
    control.setCustomValidity('');
    try {
      if (control.required && !control.closest('[data-own]') && !control.value) throw new model.Refused(`${control.name} needs a number`);
      const changes = mine.changes(control, settings, question);
      if (changes) apply(model.over(settings, changes), 'reader');
      if (changes) refused.hidden = true;
      else said.textContent = 'Not taken yet: a field needs another look.';
    } catch (error) {
      if (!(error instanceof model.Refused)) throw error;
      said.textContent = `Not taken: ${error.message}.`;
      if (mine.refuse(control, error)) return;
      control.setCustomValidity(`${error.message}; the page stays as it was`);
      control.reportValidity();
    }
  });
  form.addEventListener('submit', event => event.preventDefault());

  // The panel covers the text: Escape, or a click outside, puts it away.
  const more = find('.more', form);
  addEventListener('keydown', event => {
    if (event.key !== 'Escape' || !more.open) return;
    if (more.contains(document.activeElement)) find('summary', more).focus();
    more.open = false;
  });
  document.addEventListener('pointerdown', event => { if (!form.contains(event.target)) more.open = false; });

  document.addEventListener('click', event => {
    const action = event.target.closest('[data-action]')?.dataset.action;
    if (action === 'reset') reset();
    if (action === 'copy') copy(event.target.closest('[data-action]'));
    if (action === 'theme') switchTheme();
    const link = event.target.closest('a[href^="#v="]');
    if (link) follow(event, link);
  });

  function reset() {
    mine.forget();
    for (const control of form.elements) control.setCustomValidity?.('');
    refused.hidden = true;
    apply({}, 'reader');
  }

  // A preset in the text sets the scenario and leaves the reader where he is, unless it names a place.
  function follow(event, link) {
    event.preventDefault();
    mine.forget();
    const read = model.readLink(link.getAttribute('href').slice(1));
    at = read.at || at;
    apply(read.settings, 'reader');
    const place = read.at && document.getElementById(read.at);
    if (place && !place.contains(link)) place.scrollIntoView();
  }

  async function copy(button) {
    const text = location.href.split('#')[0] + model.writeLink(settings, at);
    try {
      await navigator.clipboard.writeText(text);
      said.textContent = 'The link is copied.';
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy link'; }, 1500);
    } catch {
      window.prompt('The link to this page with your machine:', text);
    }
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

  // --- contents: which section is being read

  function watchSections() {
    const nav = find('#contents'), links = new Map(all('#contents ol a').map(link => [link.getAttribute('href').slice(1), link]));
    const observer = new IntersectionObserver(entries => {
      const near = entries.findLast(entry => entry.isIntersecting);
      if (near) follows(nav, links.get(near.target.id));
    }, { rootMargin: '0px 0px -75% 0px' });
    for (const id of links.keys()) if (document.getElementById(id)) observer.observe(document.getElementById(id));
    nav?.addEventListener('click', event => {
      if (event.target.closest('a') && nav.matches(':popover-open')) nav.hidePopover();
    });
  }

  // The entry of the section that is being read, and the sub-entries beside it.
  function follows(nav, link) {
    find('[aria-current]', nav)?.removeAttribute('aria-current');
    link.setAttribute('aria-current', 'true');
    let head = link.closest('li'), inside = false;
    while (head.matches('.level-3')) head = head.previousElementSibling;
    for (const item of all('li', nav)) {
      if (item.matches('.level-2')) inside = item === head;
      item.classList.toggle('in', inside);
    }
    const above = link.offsetTop - nav.scrollTop, room = nav.clientHeight - link.offsetHeight;
    if (above < 0 || above > room) nav.scrollTop = link.offsetTop - room / 2;
  }

  globalThis.scenario = { get: () => ({ ...settings }), set: offer, question, tell, said: inWords, link: () => model.writeLink(settings, at) };
  live = sentences(index(question), things);
  addEventListener('hashchange', () => { if (!history.state?.reader) fromLink(); });
  addEventListener('popstate', fromHistory);
  globalThis.figures?.start(globalThis.scenario);
  fromLink();
  if (!Object.keys(settings).length) apply({}, 'printed');  // the page stands as it was printed
})();
