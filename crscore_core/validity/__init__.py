"""How far the metric can be trusted: every table of the paper, recomputed on the study."""
