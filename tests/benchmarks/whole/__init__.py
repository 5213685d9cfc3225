"""The whole process measured: `make bench-whole`. See `__main__.py`."""
