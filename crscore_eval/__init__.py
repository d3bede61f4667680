"""CRScore over many reviews: everything is a function of a table of reviews."""
