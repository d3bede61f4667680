"""Claims by a language model, whichever one answers."""
