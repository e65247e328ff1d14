// What the card of a claim holds: both sides, the verdict and its margin, whether the ranges of the inputs leave it
// standing, and what its words assert.
//
//   claimCard(name, asker, settings, entry)   entry: the address of its entry on the page of numbers
globalThis.claimCard = (() => {
  'use strict';
  const { make, maths, link, named } = elements;

  function parts(name, asker, settings, entry) {
    const [condition, words] = globalThis.cardData.DATA.claims[name];
    const found = globalThis.cardData.claimCard(condition, settings), { lines, holds, margin, live, near } = found;
    const nearest = lines.length > 1 ? ' in the comparison that decides' : '', here = live ? ' here' : '';
    const verdict = holds === null ? 'It cannot be decided here.'
      : near ? `It ${holds ? `holds${here}` : 'does not hold here'}, but is nearly a tie: the sides are ${model.percent(Math.abs(margin), 2)} apart${nearest}.`
      : holds ? `It holds${here}, by a margin of ${model.percent(margin, 2)}${nearest}.` : `It does not hold here; it lacks ${model.percent(-margin, 2)}${nearest}.`;
    return {
      title: live ? 'A claim about your machine' : 'A claim, checked at every build', tone: asker,
      parts: [...lines.map(({ joint, left, right, values, sign }) => make('div', 'card-claim',
        joint ? make('p', 'card-scope', joint) : '', make('div', 'card-formula', maths(left), ' ', maths(`<mrow></mrow>${right}`)), make('p', 'card-value', `${values[0]} ${sign} ${values[1]}`))),
      make('p', 'card-range', verdict), make('p', 'card-range', ...ranged(found)),
      ...words.map(([word, says]) => make('p', 'card-word', make('i', '', word.replaceAll('_', ' ')), `: ${says}`)),
      make('p', 'card-more', link(entry, 'Its entry'))],
    };
  }

  // Whether the verdict stands while the inputs go through their ranges.
  function ranged({ holds, over, flips, share }) {
    const so = holds ? 'holds' : 'stays so', not = holds ? 'does not' : 'changes', part = share ? `${share} flip` : 'none flips';
    if (over === 'exact') return ['No input of it has a range.'];
    if (over === 'holds') return [`It ${so} over the whole range of its inputs, with all at their worst ends too.`];
    if (over === 'together') return [`It ${so} over the range of each input alone; with all at their worst ends it ${not}. Of the joint draws, ${part} it.`];
    const places = flips.slice(0, 3).flatMap(({ symbol, says, label, rises, to, stands, low, high }, at) => [at ? ', or ' : '', named({ symbol, says }), label ? ` (${label})` : '',
      ` ${rises ? 'rises' : 'falls'} to ${to} (from ${stands}; it may be ${low} to ${high})`]);
    const farther = flips.length > 3 ? `; ${flips.length - 3} more such places are farther off` : '';
    return [holds ? 'It does not hold over the whole range: it flips where ' : 'It does not stay so over the whole range: it flips where ', ...places, `${farther}. Of the joint draws, ${part} it.`];
  }

  return parts;
})();
