"""The command `python -m model`: the one place where the model meets the report, which reads the catalogues for it."""

import sys

from report.ask import main as ask
from report.measure import main as measure


def main(words: "list[str]") -> int:
    """Measure this machine if that is asked, else answer a question."""
    return measure(words[1:]) if words[:1] == ["measure"] else ask(words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
