"""The research pages: what stands behind the report, entry by entry, from one YAML file a page."""
