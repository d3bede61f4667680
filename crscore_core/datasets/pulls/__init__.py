"""Turn review comments on pull requests into corpus rows, with outcomes as weak labels."""
