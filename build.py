"""Build the report: python build.py [build|check|watch|diff OLD NEW], and --help for its flags."""

import gc
import signal
import sys

from report.command import main

__all__ = ["main"]

if __name__ == "__main__":
    gc.disable()  # a build leaves little garbage, and to look for it takes a tenth of the time
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # clear up before the end, as on Ctrl-C
    code = main()
    gc.freeze()  # or Python looks through all that the build made on its way out
    raise SystemExit(code)
