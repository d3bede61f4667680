"""Speed, measured by hand: `make bench`. Nothing here is a test."""
