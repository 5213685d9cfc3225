"""The service's JSON as pydantic models, and the table of its endpoints."""
