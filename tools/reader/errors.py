"""What goes wrong."""


class Refused(Exception):
    """The file breaks a rule of the format, or uses a code that the format leaves undefined."""


class BadPosition(Exception):
    """The text is no position that the file answers."""
