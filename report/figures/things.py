"""What a visit serves, marked in the text beside a figure: names.js says examples for a network without tokens."""

from __future__ import annotations

import re
from html import escape

from markupsafe import Markup

# The words that names.js knows another for, the longer first.
_WORDS = re.compile(r"\b(?:a token|one sequence|64 sequences|[Tt]okens?|Sequences)\b")


def marked(text: str) -> Markup:
    """Return a text as HTML, each word for what is counted in an element of its own."""
    html = escape(text)
    # Words of this list hold nothing to escape, and the rest was escaped above.
    return Markup(_WORDS.sub(r'<span data-things="\g<0>">\g<0></span>', html))
