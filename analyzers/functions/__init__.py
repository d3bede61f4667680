"""What measures the functions of every language but Python."""
