"""What an import of the package loads."""

import subprocess
import sys


def test_the_package_loads_no_app_no_metric_no_model_and_no_grammar() -> None:
    code = "import analyzers, sys; print(sorted({name.split('.')[0] for name in sys.modules}))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert "'analyzers'" in loaded
    for name in "streamlit crscore_core torch transformers pandas numpy tree_sitter".split():
        assert f"'{name}'" not in loaded
