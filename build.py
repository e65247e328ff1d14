"""Build the report: python build.py [build|check|watch] [--content DIR] [--out DIR] [--base-url URL]."""

from report.command import main

__all__ = ["main"]

if __name__ == "__main__":
    raise SystemExit(main())
