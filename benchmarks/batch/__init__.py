"""Benchmarks of whole corpora: speed, growth with the corpus, thresholds, engines, starting."""
