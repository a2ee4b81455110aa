"""Learns what is installed here and prints it; what is not, or not found, in one line."""


def main():
    if sys.version_info < (3, 6):
        print("failed python it is Python %d.%d; layouts are learned from 3.6 on" % sys.version_info[:2])
        return
    sys.path[:1] = []  # a file of the user's that is called random.py is not ours to import
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # the frameworks greet; what goes wrong is told below
    for name, learn in (("torch", learn_torch), ("tensorflow", learn_tensorflow)):
        try:
            print(learn().text())
        except ImportError as error:
            missing = getattr(error, "name", None) == name
            print("absent " + name if missing else "failed %s it cannot be imported: %s" % (name, error))
        except NotFound as error:
            print("failed %s %s" % (name, error))
        except Exception as error:
            print("failed %s %s: %s" % (name, type(error).__name__, " ".join(str(error).split())[:200]))
        sys.stdout.flush()


main()
