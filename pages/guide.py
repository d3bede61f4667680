"""The guide to numbers and pages."""

from pages.components.guide import show_guide

show_guide()
