"""The record service of the specification: a program of its own."""
