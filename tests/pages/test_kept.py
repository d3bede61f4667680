"""What a page shows while a source is made, and when it cannot be."""

from streamlit.testing.v1 import AppTest


def page_of_a_damaged_source() -> None:
    from typing import NoReturn

    import streamlit as st

    from crscore_core.errors import StudyError
    from pages.components.source.kept import KeptSources

    def fail(_: object) -> NoReturn:
        raise StudyError("row 3 is damaged")

    try:
        KeptSources(1).get("study", fail)
    except StudyError as error:
        st.error(str(error))


def test_no_bar_stays_where_a_source_cannot_be_made() -> None:
    page = AppTest.from_function(page_of_a_damaged_source).run()
    assert [error.value for error in page.error] == ["row 3 is damaged"]
    assert not page.get("progress")
