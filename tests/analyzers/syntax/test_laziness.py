import subprocess
import sys


def test_no_grammar_is_loaded_before_it_is_needed() -> None:
    code = "import analyzers.syntax.reading, sys; print(*sorted(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert "analyzers.syntax.reading" in loaded
    assert "tree_sitter" not in loaded
