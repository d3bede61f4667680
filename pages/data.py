"""Upload and scoring of a file of reviews, its import, the list of runs, and a judge."""

from pages.components.controls import two_columns
from pages.components.data_import import offer_upload, show_import
from pages.components.data_runs import offer_judge, show_runs

left, right = two_columns(620, 470)
with left:
    offer_upload()
    show_import()
with right:
    show_runs()
    offer_judge()
