"""Visual Graph Arena: drawings of small connected graphs and questions about them."""
