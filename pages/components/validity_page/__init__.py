"""The parts of the page on validity."""
