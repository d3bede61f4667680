"""Streamlit with the app's own navigation from the first visit on.

Where a folder `pages` lies beside the main script, Streamlit takes its files for the navigation
until the script has run once and named its own. Whoever opens a link to a page of a fresh server
would get that page alone, without what the app puts around it.
"""

from streamlit.runtime.pages_manager import PagesManager
from streamlit.web import cli


def main() -> None:
    """Run Streamlit's command line."""
    PagesManager.uses_pages_directory = False
    cli.main(prog_name="streamlit")


if __name__ == "__main__":
    main()
