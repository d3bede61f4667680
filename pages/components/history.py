"""Browser history of the app: one entry for each page or choice of a person.

Kept because Streamlit 1.67 alone adds an entry for each parameter that a script writes, so that
leaving a page takes Back three or four times, and none for a choice in a bound widget.
"""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route
from streamlit.file_util import get_static_dir
from streamlit.runtime.pages_manager import PagesManager

_PAGES = Path(__file__).parents[1]

_SCRIPT = """<script>
(() => {
  // A new entry needs an act of the person since the last one; keys in one field are one act,
  // until Enter.
  let acted = false, field = null;
  const act = (event) => {
    if (event.isTrusted) {
      acted ||= event.type !== "keydown" || event.key === "Enter" || event.target !== field;
      field = event.target;
    }
  };
  addEventListener("pointerdown", act, true);
  addEventListener("keydown", act, true);
  addEventListener("popstate", () => { acted = false; }, true);
  const push = history.pushState.bind(history), replace = history.replaceState.bind(history);
  history.pushState = history.replaceState = (state, unused, address) => {
    const isNew = acted && new URL(address, location).href !== location.href;
    acted &&= !isNew;
    (isNew ? push : replace)(state, unused, address);
  };
})();
</script>"""
_HEAD = "<head>"


def page_routes() -> list[Route]:
    """Serve Streamlit's page at the address of each of ours, with our script before its own."""
    # Else Streamlit takes the files of `pages` for the navigation until the main script has run
    # once, and a link to a page of a fresh server shows that page alone.
    PagesManager.uses_pages_directory = False
    text = Path(get_static_dir(), "index.html").read_text(encoding="utf-8")
    page = text.replace(_HEAD, _HEAD + _SCRIPT, 1)

    async def serve(_request: Request) -> HTMLResponse:
        return HTMLResponse(page, headers={"cache-control": "no-cache"})

    names = ("", *(file.stem for file in _PAGES.glob("*.py")))
    return [Route(f"/{name}", serve) for name in names]
