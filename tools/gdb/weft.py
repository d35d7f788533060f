# SPDX-License-Identifier: MIT OR Apache-2.0
# gdb knows weft: commands that say what a pool is doing, on a target that is stopped, or in a core file.
#
#     (gdb) source .../tools/gdb/weft.py
#     (gdb) help weft
#
# They read memory by the image's debug information. They call nothing in the target, and write nothing to it. They need
# a gdb with Python, 11 or later, and nothing else; the package weft_gdb stands beside this file.
#
# A gdb without Python reads what comes now as its command `python`, and says that it has none. So it stands first.
python = "11 or later"

import os
import sys

folder = os.path.dirname(os.path.abspath(__file__))
if folder not in sys.path:
    sys.path.insert(0, folder)
# Sourced again: as it is now.
for name in [name for name in sys.modules if name.split(".")[0] == "weft_gdb"]:
    del sys.modules[name]
keeps = sys.dont_write_bytecode
sys.dont_write_bytecode = True
try:
    from weft_gdb import commands, printers

    commands.register()
    printers.register()
finally:
    sys.dont_write_bytecode = keeps
