"""What a spectrum is: from the trace of one test, and of a whole suite as a matrix.

May use: `recognition` and what is below it.
"""
