"""Many changes with their reviews: what they are, where they come from, what they score."""
