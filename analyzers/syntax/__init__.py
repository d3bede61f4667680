"""Files and hunks of the languages that tree-sitter reads."""
