"""What a member is likely to score: pure. Source: the catalogue, the statistics of all players, and the records.

A spread is one standard deviation of the logarithm of what is lost: how far one player's scores differ by luck.
"""
