"""Predicted relevance: a fourth score, fitted to the ratings of the human study.

Reading a prediction needs `features`, `model` and `model_file` alone; `fit` and `held_out` are for
whoever makes a model.
"""
