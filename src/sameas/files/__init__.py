"""All file access: list folders, read and decompress within limits, and replace files atomically.

Whatever sameas reads or writes passes through this package. Errors of the operating system become
an `InputError` that names the path.
"""

from sameas.files.folders import list_folder, matching, walk
from sameas.files.replacing import check_writable, discard, write_file, write_files
from sameas.files.unpacking import (
    file_bytes,
    is_regular,
    opened,
    package_data,
    peek,
    raw_bytes,
    read_part,
    unreadable,
)

__all__ = [
    "check_writable",
    "discard",
    "file_bytes",
    "is_regular",
    "list_folder",
    "matching",
    "opened",
    "package_data",
    "peek",
    "raw_bytes",
    "read_part",
    "unreadable",
    "walk",
    "write_file",
    "write_files",
]
