"""Build the report: python build.py [build|check|watch] [--content DIR] [--out DIR] [--base-url URL]."""

import gc

from report.command import main

__all__ = ["main"]

if __name__ == "__main__":
    gc.disable()  # a build leaves little garbage, and to look for it takes a tenth of the time
    code = main()
    gc.freeze()  # or Python looks through all that the build made on its way out
    raise SystemExit(code)
