"""The measures of classes."""

import pytest

from analyzers.python.measures import (
    ClassScope,
    cohesion_in_words,
    instance_attributes,
    lack_of_cohesion,
    public_methods,
    scopes,
)
from analyzers.python.reading import parse


def scope(*body: str, name: str = "A") -> ClassScope:
    text = "class A:\n" + "".join(f"    {line}\n" for line in body)
    (found,) = (
        scope
        for scope in scopes(parse(text))
        if isinstance(scope, ClassScope) and scope.node.name == name
    )
    return found


@pytest.mark.parametrize(
    ("body", "count"),
    [
        (["def f(self):", "    self.a = self.b = 1"], 2),
        (["def f(self):", "    self.a = 1", "def g(self):", "    self.a = 2"], 1),
        (["def f(self):", "    self.a, (self.b, *self.c) = d"], 3),
        (["def f(self):", "    self.a += 1", "    self.b: int = 2", "    self.c: int"], 3),
        (["def f(self):", "    with a as self.b:", "        for self.c in d: pass"], 2),
        (["async def f(this):", "    this.a = self.b = 1"], 1),
        (["def f(self):", "    def g():", "        self.a = 1"], 1),
        (["def f(self):", "    self.a.b = 1", "    self.c[0] = 1", "    return self.d"], 0),
        (["def f(self):", "    class B:", "        def g(self): self.a = 1"], 0),
        (["if B:", "    def f(self): self.a = 1"], 1),
        (["def f(self): self.__class__ = B"], 0),
        (["@classmethod", "def f(cls): cls.a = 1"], 0),
        (["@staticmethod", "def f(a): a.b = 1"], 0),
        (["@property", "def a(self): return self._a"], 0),
        (["@property", "def a(self): return self._a", "def f(self): self.a = self._a = 1"], 1),
        (["a: int", "b: str = 'b'", "c: list[int] = field(default_factory=list)"], 3),
        (["a: int", "def f(self): self.a = 1"], 1),
        (["a: ClassVar[int] = 1", "b: typing.ClassVar = 1", "c: 'ClassVar[int]' = 1"], 0),
        (["a: InitVar[int]", "_: KW_ONLY", "b: 'typing.ClassVar'", "c: 'int'"], 1),
        (["a = 1", "b, c = 2, 3"], 0),
        (["__slots__ = ('a', 'b')"], 2),
        (["__slots__ = ['a', 'b']", "def __init__(self): self.a = 1"], 2),
        (["__slots__: tuple[str, ...] = ('a',)"], 1),
        (["__slots__ = {'a': 'what it is'}"], 1),
        (["__slots__ = 'a'"], 1),
        (["__slots__ = (*B, 'a', '__dict__', '__weakref__')"], 1),
        (["__slots__ = B.__slots__"], 0),
    ],
)
def test_attributes_are_those_of_an_instance(body: list[str], count: int) -> None:
    assert instance_attributes(scope(*body)) == count


def test_each_class_has_its_own_attributes_and_methods() -> None:
    body = [
        "a: int",
        "def f(self): pass",
        "class B:",
        "    b: int",
        "    c: int",
        "    def g(self): pass",
        "    def h(self): pass",
    ]
    outer, inner = scope(*body), scope(*body, name="B")
    assert (instance_attributes(outer), public_methods(outer)) == (1, 1)
    assert (instance_attributes(inner), public_methods(inner)) == (2, 2)


@pytest.mark.parametrize(
    ("body", "count"),
    [
        (["def f(self): pass", "async def g(self): pass"], 2),
        (["def _f(self): pass", "def __init__(self): pass", "def __g(self): pass"], 0),
        (["@staticmethod", "def f(): pass", "@classmethod", "def g(cls): pass"], 2),
        (["@property", "def f(self): pass", "@f.setter", "def f(self, a): pass"], 1),
        (["@overload", "def f(self): ...", "def f(self, a=None): pass"], 1),
        (["def f(self):", "    def g(): pass"], 1),
        (["f = lambda self: 1", "g = h"], 0),
        (["if B:", "    def f(self): pass", "else:", "    def f(self): pass"], 1),
    ],
)
def test_methods_are_counted_by_their_names(body: list[str], count: int) -> None:
    assert public_methods(scope(*body)) == count


@pytest.mark.parametrize(
    ("body", "lack"),
    [
        # One method of two uses the one attribute: one pair of two.
        (["a = 1", "def f(self): return self.a", "def g(self): pass"], 50),
        # One of three, then one of six: the cohesion is rounded down.
        (["a = b = c = 1", "def f(self): return self.a"], 67),
        (["a = b = c = 1", "def f(self): return self.a", "def g(self): pass"], 84),
        (["a, b = 1, 2", "def f(self): return self.a"], 50),
        (["a: int", "b: int = 1", "def f(self): return self.a"], 50),
        (["__slots__ = ('a', 'b')", "def f(self): return self.a"], 50),
        (["def f(self): self.a = 1", "def g(self): self.b = 1"], 50),
        (["def f(self): self.a = self.b = 1"], 0),
        (["a = 1", "b[c] = d.e = 2", "def f(self): return self.a"], 0),
        # What a base class holds: an attribute that both use, and a method, which is none.
        (["def f(self): return self.a", "def g(self): return self.h(self.a)"], 0),
        (["def f(self): return self.a", "def g(self): return self.h()"], 50),
        (["def f(self): self.a = a", "def g(self): self.a()"], 0),
        (["def f(self): return self.a", "def g(self): return self.f"], 50),
        # What a property is made of counts, and its parts are one method.
        (
            [
                "@property",
                "def f(self): return self.a",
                "@f.setter",
                "def f(self, a): self.b = a",
                "def g(self): self.f = self.a",
            ],
            25,
        ),
        (["a = 1", "def f(self):", "    def g(): return self.a"], 0),
        (["a = b = 1", "@classmethod", "def f(cls): return cls.a"], 50),
        (["a = b = 1", "@staticmethod", "def f(): return A.a"], 50),
        (["a = 1", "@staticmethod", "def f(a): return a.a", "def g(self): self.a"], 50),
        (["a = 1", "def f(): pass", "def g(self): self.a"], 50),
        # Nothing is to hold together.
        (["a = b = 1"], 0),
        (["def f(self): pass"], 0),
        (["a = b = 1", "def f(self): pass", "def g(self): return self.f()"], 0),
        (["a = 1", "class B:", "    def f(self): return self.a"], 0),
    ],
)
def test_cohesion_is_the_share_of_pairs_of_method_and_attribute(body: list[str], lack: int) -> None:
    assert lack_of_cohesion(scope(*body)) == lack


@pytest.mark.parametrize(
    ("lack", "words"),
    [
        (71, "only 29% of its attributes"),
        (99, "only 1% of its attributes"),
        (100, "less than 1% of its attributes"),
    ],
)
def test_the_sentence_tells_the_cohesion(lack: int, words: str) -> None:
    assert cohesion_in_words(lack) == words
