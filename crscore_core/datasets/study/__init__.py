"""The human study of the paper: loading, download, validity."""
