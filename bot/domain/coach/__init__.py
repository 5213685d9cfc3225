"""Predictions of a member's scores; pure. Source: the catalogue, the statistics of all players, and the records.

A spread is one standard deviation of the log loss: how far one player's scores differ by chance.
"""
