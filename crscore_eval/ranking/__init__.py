"""Order of systems, verdict, comparison of two runs, and gate: functions of a run."""
