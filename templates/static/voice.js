// What is said aloud: one announcement a change. What the figure shows that the reader acts on, else where the step
// stands, then what the figure in view finds.
//
//   const aloud = voice({ called, question, things, follows })   called(choice): a name; follows(claim): whether it is live
//   aloud.tell(words), aloud.announce()
globalThis.voice = page => {
  'use strict';
  const { called, question, things, follows } = page, place = document.getElementById('said');

  function tell(words) {
    if (place.textContent !== words) place.textContent = words;
  }

  function announce() {
    const { root, acting } = globalThis.figures?.looked() ?? {}, found = root ? finding(root) : '';
    tell(acting && found ? found : `${ofTheStep()} ${found}`.trim());
  }

  function ofTheStep() {
    const floor = question('T_min'), [first, ...rest] = called('machine');
    const words = floor.s ? model.STATES[floor.s] : `the step reaches the balance at ${model.count(floor.v, 3, things(['token', 'tokens', 0, 0]))} per weight visit`;
    return `${first.toUpperCase()}${rest.join('')}, ${called('network')}: ${words}.`;
  }

  // What a figure finds on this scenario: the sentences of its caption that follow the reader, as they are read now.
  function finding(figure) {
    const following = [...figure.querySelectorAll('figcaption [data-claim]')].filter(({ dataset }) => follows(dataset.claim));
    const read = claim => [...claim.childNodes].filter(part => !part.hidden).map(part => part.textContent).join('');
    return following.map(read).join(' ').replace(/\s+/g, ' ').trim();
  }

  return { tell, announce };
};
