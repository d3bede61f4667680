"""Where rated reviews come from: the human study, the samples, and pinned downloads."""
