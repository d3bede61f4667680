"""The study's files from their public repository, each verified."""
