"""What looks at Python."""
