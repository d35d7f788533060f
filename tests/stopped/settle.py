# SPDX-License-Identifier: MIT OR Apache-2.0
"""gdb's command `settle`, for tools/check_gdb: goes on with main.cpp until no core of its pool is between two steps.

A core's bit in the idle word is set before the core sleeps. So the first stop in stopped_asleep() may be between the
two, and on a busy machine it is.
"""
import gdb

from weft_gdb.cores import Cores
from weft_gdb.image import Image
from weft_gdb.pool import find_pools
from weft_gdb.sleep import Asleep

TIMES = 100  # main.cpp comes by more often


class Settle(gdb.Command):
    def __init__(self):
        super().__init__("settle", gdb.COMMAND_USER)

    def invoke(self, _, from_tty):
        for _ in range(TIMES):
            image = Image()
            pools = find_pools(image)
            pool = next(one for one in pools if one.name == "stopped::pool")
            if not Asleep(pool, Cores(image, pools)).judge().movers:
                break
            gdb.execute("continue", to_string=True)
        gdb.execute("clear stopped_asleep", to_string=True)


Settle()
