"""Sources of the reviews that all pages show, and the switch between them."""
