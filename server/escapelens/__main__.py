"""``python -m escapelens``."""

from escapelens.cli import main

if __name__ == "__main__":
    main()
