"""Data that the product knows by name: the human study, six kinds of reviews, examples, ratings."""
