"""Fidelity: the product's JSON report against the compiler's own ``-m=2`` text, line by line.

``python -m tests.fidelity [--go VERSION] PATTERN…``. Nothing in here imports the product:
the lines are classified anew, so that one mistake cannot hide in both readings.
"""
