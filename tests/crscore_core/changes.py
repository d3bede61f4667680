"""Small diffs that several tests use, and files with any lines."""

from collections.abc import Iterable

from crscore_core.change import ChangedLine, FileChange, FileStatus, Hunk, LineKind

PYTHON = """\
diff --git a/app/store.py b/app/store.py
--- a/app/store.py
+++ b/app/store.py
@@ -10,6 +10,9 @@ def load(path):
     with open(path) as file:
         data = json.load(file)
-    return data
+    try:
+        return data["items"]
+    except:
+        return []
 
 
 def save(path, data):
"""
JAVA_HUNK = """\
@@ -5,3 +5,4 @@ public class Cart {
     private final List<Item> items = new ArrayList<>();
-    public int size() { return items.size(); }
+    public int size() { return items == null ? 0 : items.size(); }
+    public boolean isEmpty() { return size() == 0; }
 
"""
BINARY = """\
diff --git a/logo.png b/logo.png
index 1111111..2222222 100644
Binary files a/logo.png and b/logo.png differ
"""
DELETED = """\
diff --git a/old.py b/old.py
deleted file mode 100644
--- a/old.py
+++ /dev/null
@@ -1,2 +0,0 @@
-import os
-print(os.name)
"""


def file_of(
    rows: Iterable[tuple[LineKind, str]], path: str | None = "a.py",
    language: str | None = "python", hunks: int = 1,
) -> FileChange:  # fmt: skip
    """A changed file whose hunks all hold these lines, even if no diff could express it."""
    lines, old, new = [], 0, 0
    for position, (kind, text) in enumerate(rows, start=2):
        old += (is_old := kind is not LineKind.ADDED)
        new += (is_new := kind is not LineKind.REMOVED)
        numbers = old if is_old else None, new if is_new else None
        lines.append(ChangedLine(kind, text, *numbers, position))
    hunk = Hunk(min(old, 1), old, min(new, 1), new, "", tuple(lines))
    return FileChange(path, path, FileStatus.MODIFIED, (hunk,) * hunks, language)
