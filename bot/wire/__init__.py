"""The service's JSON as msgspec's structs, the table of its endpoints, and which hosts are this machine."""
