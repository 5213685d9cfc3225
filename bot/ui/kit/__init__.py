"""The building blocks of all pages: addresses, routes, components, icons, fonts and the picture renderer."""
