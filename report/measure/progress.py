"""What the reader sees while he waits: one line on the terminal, written over and wiped at the end."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TextIO


@dataclass
class Progress:
    """Tells on a stream what is being done, if a person is looking at it."""

    stream: TextIO
    shown: bool = False

    def tell(self, said: str) -> None:
        """Write a line over the last one."""
        if self.stream.isatty():
            width = shutil.get_terminal_size().columns - 1
            self.stream.write(f"\r\x1b[K{said[:width]}")
            self.stream.flush()
            self.shown = True

    def wipe(self) -> None:
        """Leave the line as it was found: empty."""
        if self.shown:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
            self.shown = False
