"""Claims by any language model."""
