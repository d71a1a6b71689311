"""Tests: inputs with the verdict that the language asks for.

May use: the ground floor.
"""
