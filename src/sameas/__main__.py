"""`python -m sameas` is the command line."""

from sameas.cli import main

main()
