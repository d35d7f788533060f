# SPDX-License-Identifier: MIT OR Apache-2.0
"""gdb's commands and pretty printers for weft. ../weft.py loads them."""
