"""Golden files: whole outputs of the product, kept so that no step changes one unseen.

`python -m tests.golden` rewrites all of them, or those that are named.
"""
