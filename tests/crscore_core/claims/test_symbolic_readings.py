"""What is said where notations look alike, or where several statements could be meant."""

import pytest

from tests.crscore_core.claims.test_symbolic_truth import texts

PAIRED = [
    pytest.param(
        "store.go",
        ' func get() (string, error) {\n \tif !ok {\n-\t\treturn "", errors.New("none")\n'
        '+\t\treturn "", fmt.Errorf("no %q: %w", key, ErrNone)\n+\t}\n+\tselect {\n'
        '+\tcase <-ctx.Done():\n+\t\treturn "", ctx.Err()\n \t}\n }',
        [
            'The code now returns `"", fmt.Errorf("no %q: %w", key, ErrNone)` instead of '
            '`"", errors.New("none")` in the `get` function'
        ],
        ["ctx.Err()` instead", "`ctx.Err` is called instead"],
        id="return at the same place, another one new",
    ),
    pytest.param(
        "handler.py",
        ' def handle(event):\n-    return {"status": 200}\n+    if not event:\n'
        '+        return {"status": 400}\n+    return {"status": 200, "body": event}',
        [
            'The code now returns `{"status": 200, "body": event}` instead of `{"status": 200}`'
            " in the `handle` function"
        ],
        ["400}` instead of"],
        id="early return beside a rewritten one",
    ),
    pytest.param(
        "read.go",
        " func f() (int, error) {\n-\treturn n, err\n+\tif err != nil {\n+\t\treturn 0, err\n+\t}\n"
        "+\treturn n * k, nil\n }",
        ["The code now returns `n * k, nil` instead of `n, err` in the `f` function"],
        ["`0, err` instead"],
        id="new return within a new branch",
    ),
    pytest.param(
        "shop.py",
        " def pay(x):\n-    if x is None:\n-        return 1\n     go(x)\n+    return go(x)",
        ["The code now returns `go(x)` in the `pay` function"],
        ["instead of `1`"],
        id="returns far from each other",
    ),
    pytest.param(
        "shop.js",
        " function pay(x) {\n-  throw new OldError(x);\n+  if (!x) {\n"
        "+    throw new EmptyError();\n"
        "+  }\n+  throw new NewError(x);\n }",
        ["`NewError` is thrown instead of `OldError` in the `pay` function"],
        ["`EmptyError` is thrown instead"],
        id="errors at different places",
    ),
]


@pytest.mark.parametrize(("name", "body", "must", "must_not"), PAIRED)
def test_what_became_of_a_statement(
    name: str, body: str, must: list[str], must_not: list[str]
) -> None:
    found = texts(name, body)
    assert [text for text in must if text not in found] == []
    assert [part for part in must_not if any(part in text for text in found)] == []
