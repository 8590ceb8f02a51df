# SPDX-License-Identifier: MIT
"""picture.py FILE.png [RRGGBB..]: width and height, and the share of the pixels that each colour has."""
import struct, sys, zlib


def read(path):
    """Width, height and rows of bytes of an RGB picture of 8 bits."""
    data, at, packed = open(path, "rb").read(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body), "checksum"
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert (depth, colour) == (8, 2), "must be RGB"
        packed += body if kind == b"IDAT" else b""
        at += size + 12
    raw, rows, before = zlib.decompress(packed), [], bytes(3 * width)
    for y in range(height):
        start = y * (3 * width + 1)
        before = unfilter(raw[start], bytearray(raw[start + 1:start + 1 + 3 * width]), before)
        rows.append(before)
    return width, height, rows


def unfilter(kind, row, above):
    for i in range(len(row)):
        left, corner = (row[i - 3], above[i - 3]) if i >= 3 else (0, 0)
        if kind == 4:
            paths = [abs(above[i] - corner), abs(left - corner), abs(left + above[i] - 2 * corner)]
            guess = (left, above[i], corner)[paths.index(min(paths))]
        else:
            guess = (0, left, above[i], (left + above[i]) // 2)[kind]
        row[i] = (row[i] + guess) & 255
    return row


width, height, rows = read(sys.argv[1])
counts = {}
for row in rows:
    for x in range(0, 3 * width, 3):
        key = bytes(row[x:x + 3]).hex()
        counts[key] = counts.get(key, 0) + 1
print(width, height, *("%.6f" % (counts.get(c, 0) / width / height) for c in sys.argv[2:]))
