"""What runs when nobody asks: refreshing members, prefetching statistics and forgetting what is old."""
