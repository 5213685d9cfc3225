"""What runs when nobody asks: refreshing members, prefetching statistics and deleting what is old."""
