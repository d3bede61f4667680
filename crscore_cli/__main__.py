"""`python -m crscore_cli`, which the app starts."""

from crscore_cli.app import main

main()
