"""Bytes that are read from the front, and the numbers among them."""

import zlib

from errors import Refused


class Bytes:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, count):
        if self.at + count > len(self.data):
            raise Refused("the file ends early")
        piece = self.data[self.at : self.at + count]
        self.at += count
        return piece

    def byte(self):
        return self.take(1)[0]

    def number(self, bits=32):
        """A number below 2 to the power of `bits`."""
        value = 0
        for group in range(9):
            byte = self.byte()
            value |= (byte & 0x7F) << (7 * group)
            if byte < 0x80:
                if byte == 0 and group > 0:
                    raise Refused("a number is not written as short as possible")
                if value >> bits:
                    raise Refused(f"a number of more than {bits} bits")
                return value
        raise Refused("a number of more than nine bytes")


def sealed(data):
    """The bytes of a file before its checksum, which must be right."""
    if len(data) < 6 or zlib.crc32(data[:-4]) != int.from_bytes(data[-4:], "little"):
        raise Refused("the checksum is wrong")
    return Bytes(data[:-4])
