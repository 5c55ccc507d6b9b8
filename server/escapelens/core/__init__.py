"""Pure: no processes, no files, no protocol. Plain frozen values in, plain values out."""
