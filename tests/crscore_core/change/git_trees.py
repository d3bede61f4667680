"""Pairs of file trees with odd content, and a git isolated from local configuration."""

import os
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

_ODD_LINES = (
    "", " ", "\t", "x = 1", "return x", "--- x", "--- a/other.py", "+++ y", "++ y", "-- z", "-",
    "+", "@@ -1 +1 @@", "@@", "@@@ -1 -1 +1 @@@", "\\ No newline at end of file", "\\", "ends\r",
    "in\rside", "\r", "form\ffeed", "\v", "next\x85line", "line\u2028separator", "para\u2029graph",
    "diff --git a/x b/x", "Binary files a/x and b/x differ", "GIT binary patch", "index 1..2",
    "rename from x", "new file mode 100644", "From 0000 Mon Sep 17", "-- ", "```", "Index: x",
    "größe = 'ß'", "字段", "  indented", "trailing  ", "def f(a):", "\ufeffmark", "zero\u200bwidth",
)  # fmt: skip
_NAMES = (
    "plain.py", "no_extension", "two words.java", "a b c.py", " lead and trail ", 'quo"te.js',
    "tab\there.py", "new\nline.py", "back\\slash.c", "größe.py", "字段.rb", "a/b/x.py", "b/x.go",
    "deep/er/x and y.php", "deep/er/and", "dev/null", "c/mnemonic.c", "-dash.py", "i/w/o.ts",
    "x 2020-01-01 10:00:00", "x => y", "{a => b}", "differ", "o'quote", "#hash",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Blob:
    """A file in a tree: its mode as git writes it, and its content."""

    mode: str
    content: bytes

    @property
    def lines(self) -> list[str]:
        """Split into lines like a diff: only at line feeds."""
        lines = self.content.decode().split("\n")
        return lines[:-1] if lines[-1] == "" else lines

    @property
    def is_binary(self) -> bool:
        """Return True if git treats the content as binary."""
        return b"\0" in self.content


Tree = dict[str, Blob]


def random_trees(seed: int) -> tuple[Tree, Tree]:
    """An old and a new tree that differ in everything that git records about files."""
    chance = random.Random(seed)  # noqa: S311 - no secret, and the same trees in every run
    old = {name: _blob(chance) for name in _NAMES if chance.random() < 0.85}
    new: Tree = {}
    for name, blob in old.items():
        kind = chance.random()
        if kind < 0.1:
            continue
        if kind < 0.2:
            new[f"moved/{name}"] = _edited(chance, blob, 1)
        elif kind < 0.3:
            new[name] = Blob("100755" if blob.mode == "100644" else "100644", blob.content)
        elif kind < 0.35:
            new[name] = Blob("120000", b"target of a link")
        else:
            new[name] = _edited(chance, blob, chance.randrange(4))
        if chance.random() < 0.2:
            new[f"copy/{name}"] = _edited(chance, blob, 1)
    for name in _NAMES:
        if name not in old and chance.random() < 0.7:
            new[name] = _blob(chance)
    old["submodule"] = Blob("160000", b"Subproject commit " + b"1" * 40 + b"\n")
    new["submodule"] = Blob("160000", b"Subproject commit " + b"2" * 40 + b"\n")
    return old, new


def _blob(chance: random.Random) -> Blob:
    kind = chance.random()
    mode = "100755" if chance.random() < 0.2 else "100644"
    if kind < 0.08:
        return Blob(mode, b"")
    if kind < 0.16:
        return Blob(mode, bytes([0, chance.randrange(256), 10]) * 9)
    lines = [chance.choice(_ODD_LINES) for _ in range(chance.randrange(1, 40))]
    return Blob(mode, _joined(chance, lines))


def _edited(chance: random.Random, blob: Blob, edits: int) -> Blob:
    if blob.is_binary:
        return Blob(blob.mode, blob.content + b"\0" * edits)
    lines = blob.lines
    for _ in range(edits):
        at = chance.randrange(len(lines) + 1)
        lines[at : at + chance.randrange(3)] = chance.choices(_ODD_LINES, k=chance.randrange(3))
    return Blob(blob.mode, _joined(chance, lines) if edits else blob.content)


def _joined(chance: random.Random, lines: list[str]) -> bytes:
    end = "\n" if lines and (lines[-1] == "" or chance.random() < 0.7) else ""
    return ("\n".join(lines) + end).encode()


class GitPair:
    """A repository with the old tree committed and the new one in its index."""

    def __init__(self, folder: Path, old: Tree, new: Tree) -> None:
        self._folder = folder
        self.git("init", "--quiet", ".")
        for branch, tree in (("old", old), ("new", new)):
            self.git("fast-import", "--quiet", stdin=_import_stream(branch, tree))
        self.git("read-tree", "new")

    def diff(self, *options: str) -> bytes:
        """Output of `git diff --cached` between the two trees."""
        return self.git("diff", "--cached", *options, "old", "--")

    def git(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Return the standard output of a git command with fixed settings."""
        settings = {
            "PATH": os.environ["PATH"],
            "HOME": str(self._folder),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CEILING_DIRECTORIES": str(self._folder.parent),
            "LC_ALL": "C",
        }
        command = ["git", "-c", "core.autocrlf=false", "-c", "diff.renameLimit=0", *arguments]
        result = subprocess.run(
            command, cwd=self._folder, env=settings, input=stdin, capture_output=True, check=False
        )
        assert result.returncode == 0, result.stderr.decode(errors="replace")
        return result.stdout


def _import_stream(branch: str, tree: Tree) -> bytes:
    parts = [f"commit refs/heads/{branch}\ncommitter A <a@b> 0 +0000\ndata 0\n".encode()]
    for name, blob in tree.items():
        quoted = "".join(f"\\{byte:03o}" for byte in name.encode())
        if blob.mode == "160000":
            commit = blob.content.split()[-1].decode()
            parts.append(f'M {blob.mode} {commit} "{quoted}"\n'.encode())
        else:
            parts.append(f'M {blob.mode} inline "{quoted}"\ndata {len(blob.content)}\n'.encode())
            parts.append(blob.content + b"\n")
    return b"".join(parts)
