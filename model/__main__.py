"""The command `python -m model`: the one place where the model meets the report, which reads the catalogues for it."""

import sys

from report.ask import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
