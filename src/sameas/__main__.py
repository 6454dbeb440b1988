"""Run the command line: `python -m sameas`."""

from sameas.cli import main

main()
