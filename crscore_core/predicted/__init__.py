"""Predicted ratings: the ratings people would give a review, by models fitted to ratings.

`ratings` is the entry: predictions, reasons and suggestions for one review. `features` and `words`
are what models read, `model` and `model_file` the models and their files; `fit` makes a model.
"""
