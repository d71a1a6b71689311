"""``python -m gramspect`` is the command ``gramspect``."""

from gramspect.cli import main

if __name__ == "__main__":
    main()
