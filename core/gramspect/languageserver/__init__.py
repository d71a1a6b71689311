"""The language server: what runs say about a grammar, shown in an editor while it is edited.

A save starts a run in a process of its own (`runs`), which tells what it found as `findings`.
The server (`server`) keeps the newest findings of each target, and `answers` turns them into what
the protocol calls diagnostics, code actions, lenses, hints and hovers.

May use: all rooms but `cli`.
"""
