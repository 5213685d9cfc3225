"""What everything else stands on: the clock, settings, the log, counting, and work beside the event loop."""
