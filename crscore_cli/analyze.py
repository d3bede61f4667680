"""`crscore analyze`."""

from dataclasses import asdict

from crscore_cli import options, output
from crscore_core.analyzers import find_smells
from crscore_core.scoring.source_files import source_files


def analyze(
    *,
    diff: options.Diff,
    file: options.Files = None,
    language: options.Language = None,
    as_json: options.Json = False,
) -> None:
    """Show the smells on the changed lines and what was analysed."""
    change = options.read_change(diff, language)
    files, unused = source_files(change, options.read_files(file or ()))
    (results,), warnings = find_smells([files]), [*unused, *change.warnings]
    smells = [asdict(smell) for result in results for smell in result.smells]
    if as_json:
        analyzers = [result.to_dict() for result in results]
        document = {"analyzers": analyzers, "smells": smells, "warnings": warnings}
        output.print_json(document)
        return
    output.print_by_file(smells, lambda smell: f"{smell['text']} ({smell['rule']})")
    output.print_analyzers(results)
    output.print_warnings(warnings)
