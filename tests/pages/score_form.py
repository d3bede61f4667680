"""Actions in the form of the Score page, and the parts of the page that show its result."""

from tests.crscore_core.changes import PYTHON
from tests.pages.app_page import AppPage

REVIEW = "The bare except hides every error. Why is an empty list returned? Thanks!"


def fill(page: AppPage, diff: str = PYTHON, *reviews: str) -> AppPage:
    """Fill the form with a diff and reviews, one unless others are given."""
    page.press("Clear")
    for _ in reviews[1:]:
        page.press("Add a review")
    page.text_area(key="diff").set_value(diff)
    for number, review in enumerate(reviews or (REVIEW,), start=1):
        page.text_area(key=f"review_{number}").set_value(review)
    return page


def shown_claims(page: AppPage) -> list[str]:
    return list(page.data_editor[0].value["claim"])


def sources(page: AppPage) -> dict[str, str]:
    """Source of each pseudo-reference by its text."""
    table = page.text_table("pseudo-reference")
    origins = [origin.split(", ")[1] for origin in table["origin"]]
    return dict(zip(table["pseudo-reference"], origins, strict=True))
