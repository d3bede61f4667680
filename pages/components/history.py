"""Browser history of the app: one entry for each page or choice of a person.

Kept because Streamlit 1.67 alone adds an entry for each parameter that a script writes, so that
leaving a page takes Back three or four times, and none for a choice in a bound widget.
"""

from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.file_util import get_static_dir

_SCRIPT = b"""<script>
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
_HEAD = b"<head>"
_OF_FILE = ("accept-encoding", "if-none-match", "if-modified-since", "range")


class HistoryScript:
    """Put a script of ours at the head of Streamlit's page, before its own scripts.

    Any other page, such as a report that is downloaded, stays as it is.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._page = Path(get_static_dir(), "index.html").read_bytes()
        self._with_script = self._page.replace(_HEAD, _HEAD + _SCRIPT, 1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; a request for a page gets it plain and whole."""
        headers = Headers(scope=scope) if scope["type"] == "http" else None
        if headers is None or "text/html" not in headers.get("accept", ""):
            await self._app(scope, receive, send)
            return
        asked = MutableHeaders(raw=list(scope["headers"]))
        for name in _OF_FILE:
            del asked[name]
        begun: Message | None = None

        async def answer(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = message
                return
            if begun is not None:
                if message.get("body") == self._page:
                    message["body"] = self._with_script
                    MutableHeaders(scope=begun)["content-length"] = str(len(self._with_script))
                await send(begun)
                begun = None
            await send(message)

        await self._app({**scope, "headers": asked.raw}, receive, answer)
