"""Errors of files and of positions."""


class Refused(Exception):
    """The file breaks a rule of the format, or uses a code that the format leaves undefined."""


class BadPosition(Exception):
    """The text is no legal position, or none that the file has a table for."""
