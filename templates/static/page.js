// The page and its scenario: reads it from the link, the history and the controls, and keeps sentences, bar, figures,
// names and links in step with it. No framework: the model answers (model.js), the page's own script says what stands
// where (index.js). What a change shows at once and what follows its frame is decided here, and in turns.js.
(() => {
  'use strict';
  const form = document.getElementById('scenario'), refused = document.getElementById('refused');
  if (!form) return;
  let settings = {}, at = '', base = {}, memo = new Map(), others = new Map();

  // --- what is asked: each question once for a scenario, also on the scenario with something put in its place

  function question(key, given) {
    const [inputs, answers] = given ? elsewhere(given) : [base, memo];
    return model.ask(key, inputs, answers);
  }

  function elsewhere(given) {
    const name = JSON.stringify(given);
    if (!others.has(name)) others.set(name, [model.baseOf(model.over(settings, given), true), new Map()]);
    return others.get(name);
  }

  const KINDS = {
    network: ['network', 'd', 'L', 'heads', 'kv_heads', 'd_ff', 'vocab'], batch: ['T', 's', 'micro_batches', 'devices'],
    machine: ['machine', 'format', 'peak', 'bandwidth', 'capacity', 'fabric'],
  };

  function differs() {
    const kindOf = key => Object.keys(KINDS).find(kind => KINDS[kind].includes(key)) ?? 'here';
    const kinds = new Set(Object.keys(model.differing(settings)).map(kindOf));
    return kinds.size === 1 ? [...kinds][0] : 'here';
  }

  // What a visit serves: a network without a text learns from examples.
  const things = label => label?.[0] === 'token' && base.family.w === 'counted' ? ['example', 'examples', 0, 0] : label;

  const mine = own(form), live = sentences(index(question), things), named = names(form, mine, question);
  const called = choice => named.of(choice, settings);
  const aloud = voice({ called, question, things, follows: live.follows });
  const controls = bar(form, mine, { change, reset, copy });

  // --- one change, all of the page. how: reader (a change of his own), drag (not done yet), link, printed (nothing changed)

  function apply(next, how) {
    const tried = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined && value !== ''));
    if (tried.d ?? tried.L) tried.network ??= 'own';  // a link may leave the word out
    const inputs = model.baseOf(tried);
    [settings, base, memo, others] = [model.differing(tried), inputs, new Map(), new Map()];
    const far = how === 'printed' ? [] : live.write(differs(), at);
    if (how === 'reader') trail.record({ settings, at });
    follow(how, far);
    if (how === 'reader') turns.later('said', aloud.announce);
  }

  // What the frame does not wait for: figures come first, then what is far from the reader, then names and links.
  function follow(how, far) {
    turns.later('bar', () => controls.show(settings, how === 'reader'));
    tellFigures();
    turns.later('sentences', ...far);
    turns.later('names', () => named.paint(settings), () => named.lead(settings));
  }

  function tellFigures() {
    turns.later('figures', ...globalThis.figures?.jobs({ base, memo, settings, question }) ?? []);
    turns.later('scenario', () => document.dispatchEvent(new CustomEvent('scenario', { detail: { settings } })));
  }

  // --- what the reader does with the bar

  function change(control) {
    try {
      if (control.required && !control.closest('[data-own]') && !control.value) throw new model.Refused(`${control.name} needs a number`);
      const changes = mine.changes(control, settings, question);
      if (!changes) return aloud.tell('Not taken yet: a field needs another look.');
      apply(model.over(settings, changes), 'reader');
      refused.hidden = true;
    } catch (error) {
      if (!(error instanceof model.Refused)) throw error;
      aloud.tell(`Not taken: ${error.message}.`);
      if (mine.refuse(control, error)) return undefined;
      control.setCustomValidity(`${error.message}; the page stays as it was`);
      control.reportValidity();
    }
    return undefined;
  }

  function reset() {
    mine.forget();
    controls.clear();
    refused.hidden = true;
    apply({}, 'reader');
  }

  async function copy() {
    const text = location.href.split('#')[0] + model.writeLink(settings, at);
    try {
      await navigator.clipboard.writeText(text);
      aloud.tell('The link is copied.');
      return true;
    } catch {
      window.prompt('The link to this page with your machine:', text);
      return false;
    }
  }

  // What a control of a figure asks for; where it cannot be, the control goes back and the reader is told.
  function offer(changes, how = 'reader') {
    try {
      apply(model.over(settings, changes), how);
    } catch (error) {
      if (!(error instanceof model.Refused)) throw error;
      aloud.tell(`Not taken: ${error.message}.`);
      tellFigures();
    }
  }

  // --- links: a preset in the text sets the scenario and leaves the reader where he is, unless it names a place

  document.addEventListener('click', event => {
    const link = event.target.closest('a[href^="#v="]');
    if (!link) return;
    event.preventDefault();
    mine.forget();
    const read = model.readLink(link.getAttribute('href').slice(1));
    at = read.at || at;
    apply(read.settings, 'reader');
    const place = read.at && document.getElementById(read.at);
    if (place && !place.contains(link)) place.scrollIntoView();
  });

  // A link is followed whole or not at all. A plain anchor keeps the scenario: the full link takes its place in the
  // address bar, the jump has happened.
  function fromLink() {
    const fragment = location.hash.slice(1);
    mine.forget();
    refused.hidden = true;
    try {
      const link = model.readLink(fragment);
      at = link ? link.at : fragment;
      if (link) apply(link.settings, 'link');
      if (link?.at) document.getElementById(at)?.scrollIntoView();
      trail.correct({ settings, at });
    } catch (error) {
      refuse(error);
    }
  }

  function refuse(error) {
    if (!(error instanceof model.Refused)) throw error;
    refused.textContent = `This link was not followed, and the page stands as it was published: ${error.message}.`;
    refused.hidden = false;
    at = '';
    apply({}, 'link');
  }

  // Back and forward bring what an entry was read with; an entry that says nothing of it is a new jump.
  function fromHistory({ state }) {
    if (!state?.reader) return;
    mine.forget();
    refused.hidden = true;
    at = state.at;
    apply(state.reader, 'link');
    turns.later('said', aloud.announce);
  }

  // With what the page is read, for paper.
  function inWords() {
    const devices = model.exact(Number(settings.devices ?? model.SCHEMA.batch.devices));
    const [machine, network, format, T] = ['machine', 'network', 'format', 'T'].map(called);
    return { machine, network, format, T, devices: devices === '1' ? 'one device' : `${devices} devices` };
  }

  globalThis.scenario = { get: () => ({ ...settings }), set: offer, question, tell: aloud.tell, said: inWords, link: () => model.writeLink(settings, at) };
  addEventListener('hashchange', () => { if (!trail.known()) fromLink(); });
  addEventListener('popstate', fromHistory);
  globalThis.figures?.start(globalThis.scenario);
  base = model.baseOf(settings);
  fromLink();
  if (Object.keys(settings).length) for (const part of ['bar', 'names']) turns.now(part);  // before anything is painted
  else apply({}, 'printed');  // the page stands as it was printed
})();
