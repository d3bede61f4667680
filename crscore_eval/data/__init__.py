"""Data: the human study, six kinds of reviews, examples, and people's ratings."""
