// Names that follow the reader, <span data-choice="machine">, the row of a table or the preset that he reads with, and the
// ways to the other pages, which take the scenario along. So do the words for what a visit serves, <span data-things="tokens">.
//
//   const named = names(form, mine, question)
//   named.of(choice, settings)   what machine, network, format or T is called
//   named.paint(settings), named.lead(settings)
globalThis.names = (form, mine, question) => {
  'use strict';
  const all = selector => [...document.querySelectorAll(selector)];
  let titles, rows, ways;

  function of(choice, settings) {
    if (choice === 'format') return question('format').w;
    const value = settings[choice] ?? model.SCHEMA.default[choice];
    if (choice === 'T') return model.exact(Number(value));
    titles ??= new Map([...form.querySelectorAll('#control-machine option, #control-network option')].map(({ value, text }) => [value, text]));
    return mine.called(choice, settings, titles.get(value) ?? value);
  }

  // A network without tokens counts examples, and has no sequences of them. The words are those of report/figures/things.py.
  function thing(word) {
    if (question('family').w !== 'counted') return word;
    const sequences = { 'one sequence': 1, '64 sequences': 64 }[word];
    if (sequences) return `${model.exact(sequences * question('s').v)} examples`;
    return word.replace('a token', 'an example').replace('token', 'example').replace(/Token|Sequence/, 'Example');
  }

  // A link that sets a scenario: the row or preset around it, what it asks, whether that is what is read now. A row of
  // machines or networks stands for one of them; a preset stands for all that it asks, with the rest as published.
  function marked(link) {
    const asked = [...new URLSearchParams(link.getAttribute('href').slice(1))].filter(([key]) => key !== 'v' && key !== 'at');
    const part = asked.every(([key]) => Object.hasOwn(model.SCHEMA.parts, key));
    return { place: link.closest('tr') ?? link, asked, part: part && asked.length === 1, yours: false };
  }

  function paint(settings) {
    const now = { ...model.SCHEMA.default, ...settings }, moved = Object.keys(model.differing(settings));
    for (const place of all('[data-choice]')) say(place, of(place.dataset.choice, settings));
    for (const place of all('[data-things]')) say(place, thing(place.dataset.things));
    rows ??= all(':is(.table tbody th, .presets) a[href^="#v="]').map(marked);
    for (const row of rows) {
      const whole = row.part || moved.every(key => row.asked.some(([asked]) => asked === key));
      const yours = row.asked.length > 0 && whole && row.asked.every(([key, value]) => String(now[key]) === value);
      if (yours !== row.yours) row.place.classList.toggle('yours', yours);
      row.yours = yours;
    }
  }

  function say(place, words) {
    if (place.textContent !== words) place.textContent = words;
  }

  function lead(settings) {
    ways ??= all('a[data-page], a.ref:not([href^="#"])').map(link => [link, ...link.getAttribute('href').split('#')]);
    for (const [link, page, place] of ways) link.setAttribute('href', page + model.writeLink(settings, place));
  }

  return { of, paint, lead };
};
