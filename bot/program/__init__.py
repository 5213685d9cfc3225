"""The bot as a program: the composition root, the process, the command line, the doctor and the metrics."""
