"""What the numbers mean, what they do not say, and what each page answers."""

from pages.components.guide import show_guide

show_guide()
