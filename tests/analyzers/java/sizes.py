"""Code that is too large in one way each, for the rules that measure."""

__all__ = ["SIZES"]


def _class(*members: str) -> str:
    return "public class Sorter {\n" + "".join(f"    {member}\n" for member in members) + "}\n"


def _method(*statements: str) -> str:
    return "void sort(int number) {\n" + "".join(f"{line}\n" for line in statements) + "}"


_IFS = _class(_method(*(f"if (number > {i}) {{ use(number); }}" for i in range(11))))
_NESTED_IFS = _class(_method(*(f"if (number > {i}) {{" for i in range(7)), "use(number);", "}" * 7))
_GREEDY = _class(
    *(f"int size{i};" for i in range(6)),
    *(
        f"void sort{i}(Box n) {{ while (n.getA{i}() > 1 && n.getB{i}() < 9 || n.isC{i}()) "
        f"{{ size{i} = n.getD{i}() > 4 ? 1 : n.getE{i}() > 2 ? 5 : n.isF{i}() ? 7 : 8; }} "
        f"for (int k = 0; k < n.getG{i}(); k++) {{ if (k > 2 || k < 1) sort{i}(n); }} }}"
        for i in range(6)
    ),
)

SIZES = {
    "CognitiveComplexity": (
        _NESTED_IFS,
        2,
        "The method `sort` is hard to understand: its cognitive complexity is 28.",
    ),
    "CouplingBetweenObjects": (
        _class(*(f"Kind{i} part{i};" for i in range(25))),
        1,
        "The class `Sorter` depends on too many other classes: 25.",
    ),
    "CyclomaticComplexity": (
        _IFS,
        2,
        "`sort` is too complex: its cyclomatic complexity is 12.",
    ),
    "ExcessiveImports": (
        "".join(f"import shop.Kind{i};\n" for i in range(40)),
        1,
        "The file has too many imports: 40.",
    ),
    "ExcessiveParameterList": (
        _class(f"void sort({', '.join(f'int n{i}' for i in range(12))}) {{ sort(); }}"),
        2,
        "There are too many parameters in `sort`: 12.",
    ),
    "ExcessivePublicCount": (
        _class(*(f"public int n{i};" for i in range(60))),
        1,
        "The class `Sorter` has too many public members: 60.",
    ),
    "GodClass": (
        _GREEDY,
        1,
        "The class `Sorter` does too much: the complexity of its methods adds up to 60.",
    ),
    "NPathComplexity": (_IFS, 2, "The method `sort` has too many paths: 2048."),
    "NcssCount": (
        _class(_method(*["sort(number);"] * 70)),
        2,
        "`sort` is too long: it has 71 statements.",
    ),
    "TooManyFields": (
        _class(*(f"int n{i};" for i in range(20))),
        1,
        "The class `Sorter` has too many fields.",
    ),
    "TooManyMethods": (
        _class(*(f"void sort{i}() {{ sort{i}(); }}" for i in range(12))),
        1,
        "The class `Sorter` has too many methods.",
    ),
}
"""For each rule: the code, the line of the finding and its sentence."""
