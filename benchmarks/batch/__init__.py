"""How fast whole corpora are scored, how that grows with them, and whether kills do harm."""
