"""Order systems, state a verdict, compare two runs, and gate a run."""
