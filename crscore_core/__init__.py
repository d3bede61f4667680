"""CRScore: reference-free scores for code review comments."""
