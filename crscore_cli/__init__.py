"""The command `crscore`."""
