"""What can be wrong with a user's input."""


class InputError(ValueError):
    """The user's input cannot be used; the message is one sentence that says what to do.

    The command line prints the message and exits with status 2. Anything else that is raised is a
    bug of ours and keeps its traceback.
    """
