"""The files of the study as its authors released them -> `HumanStudy`."""
