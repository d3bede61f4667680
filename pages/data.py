"""Upload and scoring of a file of reviews, the columns read from it, and the list of runs."""

from pages.components.controls import two_columns
from pages.components.data_import import show_contents, upload_section
from pages.components.data_runs import judge_section, list_section

left, right = two_columns(620, 470)
with left:
    upload_section()
    show_contents()
with right:
    list_section()
    judge_section()
