"""The service's JSON as pydantic models, the table of its endpoints, and which hosts are this machine."""
