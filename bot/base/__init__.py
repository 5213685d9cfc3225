"""The foundation: clock, settings, log, counters, and work outside of the event loop."""
