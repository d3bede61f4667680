"""Sources of rated reviews: the human study, the samples, and pinned downloads."""
