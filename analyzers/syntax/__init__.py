"""Files and hunks in the languages that tree-sitter parses."""
