"""Names that the languages own, and that tell nothing of a program."""

__all__ = ["SYNTAX"]

SYNTAX = frozenset(
    """
    if else elif for while do in of as with is not and or new return yield def function
    func fn var let const val self this super public private protected static final void
    int string boolean bool str true false null none nil undefined import from include
    require use using class try catch except finally throw raise pass break continue
    switch case default async await lambda end then unless package struct type override
    abstract instanceof typeof sizeof delete object throws extends implements export nullptr
    internal interface enum trait namespace readonly virtual sealed native volatile synchronized
    fi esac done endif
    foreach elif elsif elseif unless until begin defer go chan range make append len print println
    printf sprintf fprintf puts echo error exception dict set tuple double float long short byte
    char unsigned signed any unknown never number list isset cls nonlocal global del assert
    template typename auto operator std console enumerate zip
    """.split()
)
