"""Order of systems by a measure: comparisons of pairs, verdict, two runs, conditions on a run."""
