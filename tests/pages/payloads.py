"""Texts that would have an effect if a page interpreted them."""

from collections.abc import Sequence

SIGNS = (
    """-> a <- b <-> c -- d >= e <= f ~= g -> -- h -\ufeff>\ufeff->\ufeff --x a->b ... 'i' "j" --"""
    " 1: (x@y.zz) :smile: :a::b:c@d.e https://x.y/z_1?q=`c`"
)
"""Text that Streamlit's Markdown shows, or might show, as arrows and other symbols."""

PAYLOADS: tuple[str, ...] = (
    "<script>alert('script')</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><circle r=9 /></svg>",
    "<svg><script>alert(1)</script></svg>",
    "<iframe src='http://payload.invalid/frame'></iframe>",
    "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
    "<body onload=alert(1)>",
    "<a href='javascript:alert(1)' autofocus onfocus=alert(1)>link</a>",
    "<details open ontoggle=alert(1)><summary>more</summary></details>",
    "<style>* { background: url(http://payload.invalid/style) }</style>",
    "<link rel=stylesheet href=http://payload.invalid/link.css>",
    "<meta http-equiv=refresh content='0;url=http://payload.invalid/meta'>",
    "<form action=http://payload.invalid/form><button>send</button><input></form>",
    "<object data=http://payload.invalid/object></object><embed src=http://payload.invalid/e>",
    "<video src=http://payload.invalid/v autoplay onerror=alert(1)></video>",
    "<math><mtext><img src=x onerror=alert(1)></mtext></math>",
    "<template><img src=x onerror=alert(1)></template>",
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    "<!-- a comment --><![CDATA[<img src=x onerror=alert(1)>]]>",
    "</td></tr></table></div></style></script></title></textarea><img src=x onerror=alert(1)>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)' x='",
    '" style="position:fixed;inset:0;background:red" class="typed-hidden',
    "<b>bold</b> <i>italic</i> <h1>head</h1> <br> <sub>sub</sub>",
    "&lt;b&gt; &amp; &#60;img src=x&#62; &copy; &nbsp;.",
    "**bold** *italic* ~~struck~~ `code` # no heading",
    "![image](http://payload.invalid/image.png)",
    "[link](http://payload.invalid/link) [js](javascript:alert(1)) [ref][1]",
    "http://payload.invalid/bare https://payload.invalid www.payload.invalid ftp://payload.invalid",
    "<http://payload.invalid/auto> <me@payload.invalid>",
    "me@payload.invalid mailto:me@payload.invalid",
    ":material/delete: :red[red] :blue-background[blue] :smile: :streamlit: :small[s]",
    "$x^2$ $$\\int_0^1$$ \\(y\\) \\[z\\] \\href{javascript:alert(1)}{a}",
    "{{ 7 * 7 }} ${7 * 7} #{7 * 7} {% raw %} <%= 7 * 7 %> {0} {name} {0.__class__}",
    "%{x} %{customdata[0]} %{text|<b>} %s %(name)s %d",
    "- one\n- two\n\n> quote\n\n1. three\n\n---\n| a | b |\n|---|---|\n| c | d |",
    "    four blanks\n\ttab  two  blanks\n\n\nthree line ends",
    "```html\n<img src=x onerror=alert(1)>\n```",
    "turned \u202eesrever\u202c and \u2067isolated\u2069 \u200fmark",
    "zero\u200bwidth\u200d \u2060joined\ufeff soft\u00adhyphen",
    "bell \x07 escape \x1b[31mred\x1b[0m delete \x7f next \x85 end",
    "line\u2028separator paragraph\u2029separator",
    "עברית and العربية in one line (with brackets)",
    "emoji 👩‍🚀 ❤️ 🇩🇪 and z̸̡̢͓̳̜͍a̵l̶g̷o̶",
    "a" * 3_000,
    "@@ -1 +1 @@\n--- a/x\n+++ b/x\ndiff --git a/x b/x",
    "../../etc/passwd C:\\Windows\\system32 file:///etc/passwd /app.py",
    "'; DROP TABLE reviews; -- $(touch x) `touch x` | cat",
    "=cmd|' /C calc'!A0",
)

PAYLOAD_GROUPS = (PAYLOADS[:25], PAYLOADS[25:])
"""Texts that are shown on one page together."""


def diff_of(texts: Sequence[str]) -> str:
    """A diff that adds these texts, with one of them in the header of its hunk."""
    lines = "\n".join(texts).split("\n")
    return f"@@ -0,0 +1,{len(lines)} @@ {texts[1]}\n+" + "\n+".join(lines) + "\n"
