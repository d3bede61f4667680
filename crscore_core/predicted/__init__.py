"""Predicted ratings: what people would say of a review, by models fitted to what people said.

`ratings` is the door: predictions, reasons and suggestions for one review. `features` and `words`
are what models read, `model` and `model_file` the models and their files; `fit` makes a model.
"""
