"""Agreement of scores and other metrics with people, compared with the paper's figures."""

from pages.components.current_run import current_run
from pages.components.validity_metrics import show_validity

run = current_run()
if run is not None:
    show_validity(run)
