"""What every page is made of: pages, addresses, routes, icons, fonts and the picture renderer."""
