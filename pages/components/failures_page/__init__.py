"""The parts of the page of failure cases."""
