"""Predicted relevance: a fourth score, fitted to the ratings of the human study.

Reading a prediction needs `features`, `model` and `model_file` alone; `fit` makes a model.
"""
