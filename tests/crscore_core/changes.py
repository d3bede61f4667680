"""Small diffs that several tests use."""

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
