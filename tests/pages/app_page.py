"""A page of the app without a browser, opened as a link opens it."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from pages.components.source.model import Source, SourceKind

__all__ = ["app_page"]

APP = str(Path(__file__).resolve().parents[2] / "app.py")
WITHIN = 240


def app_page(name: str, data: str | None, source: Source | None, url: dict[str, str]) -> AppTest:
    """The page of a file of `pages`, with a source by its key or one that was imported."""
    page = AppTest.from_file(APP, default_timeout=WITHIN)
    page.switch_page(f"pages/{name}.py")
    if data:
        page.session_state["data"] = data
    if source:
        page.session_state["imported_source"] = source
        page.session_state["data"] = SourceKind.FILE
    for parameter, value in url.items():
        page.query_params[parameter] = value
    page.run()
    assert not page.exception
    return page
