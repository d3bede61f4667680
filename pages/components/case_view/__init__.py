"""The view of one review: its change, what it says, what it is compared with, how it is rated."""

from pages.components.case_view.view import show_case

__all__ = ["show_case"]
