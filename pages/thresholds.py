"""Scores and agreement with people at every tau."""

from pages.components.current_run import current_run
from pages.components.thresholds import show_thresholds

run = current_run()
if run is not None:
    show_thresholds(run)
