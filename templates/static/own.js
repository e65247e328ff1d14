// A machine or network of the reader's own: the fields that ask for it, and what they say beside them when something is
// amiss. They start as a copy of what the reader reads with, so that one figure can be changed at a time; what is not
// (or not yet) a whole machine or network stays here, and the page stays as it was.
//
//   const mine = own(form)
//   mine.changes(control, settings, question)   what a change of a control means for the scenario; null: it is not whole
//   mine.refuse(control, error)                 the model refused those changes: say so beside the field; true if said
//   mine.show(settings, typed)                  the fields follow the scenario, but for those that are being typed in
globalThis.own = form => {
  'use strict';
  const groups = new Map([...form.querySelectorAll('[data-own]')].map(group => [group.dataset.own, group]));
  const drafts = new Set();
  const fields = name => [...groups.get(name).querySelectorAll('[name]')];
  const groupOf = control => control.closest('[data-own]')?.dataset.own;
  const LETTERS = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

  // --- how a figure is written into its field: 989.5 TFLOP/s, 80 GB, 32 GiB, 4096

  function written(key, { v, s }) {
    if (s || v === null) return '';
    const { unit } = model.SCHEMA.numbers[key];
    if (!unit || model.SCHEMA.counts.includes(unit)) return short(v);
    if (unit === 'B' && v % 2 ** 20 === 0) return v % 2 ** 30 ? `${v / 2 ** 20} MiB` : `${v / 2 ** 30} GiB`;
    const step = Math.min(Math.max(Math.floor(Math.log10(v) / 3), 0), 6);
    return `${short(v / 1000 ** step)} ${LETTERS[step]}${unit}`;
  }

  const short = value => String(Number(value.toPrecision(10)));

  function copies(name, question) {
    if (name === 'machine') return Object.fromEntries(fields(name).map(({ name: key }) => [key, written(key, question(key))]));
    const family = question('family').w, like = model.LAYERS.networks[model.SCHEMA.default.network].layer;
    const shaped = family === 'dense' || family === 'experts';
    const asked = key => shaped ? question(key) : { v: like[key] ?? null, s: null };
    const width = family === 'experts' ? 'expert_d_ff' : 'd_ff';
    const mixed = family === 'experts' ? ['experts', 'top_k'] : [];
    return {
      ...Object.fromEntries(['d', 'L', 'heads', 'kv_heads', 'vocab', ...mixed].map(key => [key, written(key, asked(key))])),
      d_ff: written('d_ff', asked(width)),
      gated: asked('mlp_matrices').v === 3 ? '1' : '', tied: asked('embeddings').v === 1 ? '1' : '',
    };
  }

  // --- from fields to settings

  function changes(control, settings, question) {
    const { name, value } = control, group = groupOf(control);
    if (group) return read(group, settings);
    if (!groups.has(name)) return { [name]: value.trim() };
    if (value !== 'own') {
      drafts.delete(name);
      return { [name]: value };
    }
    const given = copies(name, question);
    for (const field of fields(name)) field.value = given[field.name] ?? '';
    const format = question('format').w, kept = name === 'machine' && format !== 'bf16' ? { format } : {};  // the peak was that format's
    reveal(name, true);
    form.querySelector('.more').open = true;
    fields(name)[0].focus();
    const found = read(name, settings);
    return found && { ...found, ...kept };
  }

  function read(name, settings) {
    const listed = fields(name), wrong = listed.map(field => say(field, fault(name, field))).filter(Boolean);
    if (wrong.length) {
      drafts.add(name);
      return null;
    }
    const found = Object.fromEntries(listed.map(field => [field.name, field.value.trim() || undefined]));
    if (found.fabric === undefined && model.isLink(settings.fabric)) delete found.fabric;
    drafts.delete(name);
    return form.elements[name].value === 'own' && settings[name] !== 'own' ? { [name]: 'own', ...found } : found;
  }

  function fault(name, field) {
    const text = field.value.trim();
    if (!text) return field.required && form.elements[name].value === 'own' ? `needed, as in ${field.placeholder}` : '';
    if (!Object.hasOwn(model.SCHEMA.numbers, field.name)) return '';
    try {
      model.numberFor(field.name, text);
    } catch (error) {
      if (!(error instanceof model.Refused)) throw error;
      return `${error.message.replace(/^\w+: /, '')}; write it as ${field.placeholder}`;
    }
    return '';
  }

  function say(field, words) {
    const place = field.parentNode.querySelector('.wrong');
    if (place.textContent !== words) place.textContent = words;
    if (words) field.setAttribute('aria-invalid', 'true');
    else field.removeAttribute('aria-invalid');
    return words;
  }

  // What only shows when all is put together, such as more heads chosen than there are.
  function refuse(control, error) {
    const group = groupOf(control) ?? (groups.has(control.name) && control.value === 'own' ? control.name : undefined);
    if (!group) return false;
    const named = fields(group).find(field => error.message.startsWith(field.name)) ?? fields(group).find(field => field === control) ?? fields(group)[0];
    say(named, error.message.replace(/^\w+: /, ''));
    drafts.add(group);
    return true;
  }

  // --- the fields follow the scenario

  const given = (name, settings) => fields(name).some(({ name: key }) => settings[key] !== undefined && !model.isLink(settings[key]));
  const used = (name, settings) => settings[name] === 'own' || given(name, settings);

  function reveal(name, shown) {
    groups.get(name).hidden = !shown;
    if (name === 'machine') form.querySelector('#control-fabric').closest('.setting').hidden = shown && form.elements.machine.value === 'own';
  }

  function show(settings, typed) {
    for (const name of groups.keys()) {
      if (drafts.has(name)) continue;
      reveal(name, used(name, settings));
      for (const field of fields(name)) {
        const value = model.isLink(settings[field.name]) ? '' : settings[field.name] ?? '';
        if (typed.has(field)) continue;
        if (field.value !== value) field.value = value;
        say(field, '');
      }
    }
  }

  // --- what the page calls it: its own name is the catalogue's

  function called(name, settings, title) {
    return settings[name] === 'own' ? `your ${name}` : used(name, settings) ? `${title}, changed` : title;
  }

  return { changes, refuse, show, called, drafting: name => drafts.has(name), forget: () => drafts.clear() };
};
