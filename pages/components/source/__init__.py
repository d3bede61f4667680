"""Where the reviews come from that every page shows: one switch for all pages."""
