import subprocess
import sys


def test_the_package_needs_neither_the_web_app_nor_the_metric_nor_a_model() -> None:
    code = "import analyzers, sys; print(sorted({name.split('.')[0] for name in sys.modules}))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert "'analyzers'" in loaded
    for name in ("streamlit", "crscore_core", "torch", "transformers", "pandas", "numpy"):
        assert f"'{name}'" not in loaded
