"""The stored history of members' records, and the differences between two of its moments: pure."""
