"""Reviews on which a measure and people disagree."""

from pages.components.current_run import current_run
from pages.components.failures_cases import show_failures

run = current_run()
if run is not None:
    show_failures(run)
