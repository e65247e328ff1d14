"""The report's tables and its board: rows of cells before they are markup, so that page, CSV and JSON hold the same."""
