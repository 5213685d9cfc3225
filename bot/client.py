"""Bot, command tree, and the one error handler."""
