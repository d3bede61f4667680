"""Parts of the page Rankings."""
