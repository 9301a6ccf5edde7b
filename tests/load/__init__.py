"""Load on the production stream, with real servers on this machine: `python -m tests.load --help`."""
