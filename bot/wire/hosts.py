"""Which hosts are this machine: there alone is plain HTTP taken, by the bot as by the service."""

from ipaddress import IPv6Address, ip_address


def is_loopback(host: str) -> bool:
    """Return whether a name or address is this machine's own; IPv4 may be written as IPv6."""
    try:
        address = ip_address(host)
    except ValueError:
        return host == "localhost"
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback
