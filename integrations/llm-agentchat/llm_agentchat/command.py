"""The command lines of agentflow. Nothing here needs llm or click."""

import os
import shutil
import signal
import subprocess
import sys

NOT_FOUND = 127


def program():
    """The agentflow program: AGENTFLOW_PROGRAM, else the one in PATH; None if there is none."""
    return os.environ.get("AGENTFLOW_PROGRAM") or shutil.which("agentflow")


def server_command(listen, agents, room, rest=()):
    return ["chat", "server", *flag("--listen", listen), *flag("--agents", agents), *flag("--room", room), *rest]


def client_command(url, room, agents, names=(), rest=()):
    chosen = [part for name in names for part in ("--agent", name)]
    return ["chat", "join", *flag("--url", url), "--room", room, "--agents", agents, *chosen, *rest]


def flag(name, value):
    return [name, value] if value else []


def run(arguments):
    """Run agentflow until it ends, and return its exit code.

    A key that interrupts reaches agentflow by the terminal; a request to end is handed on,
    so that nothing of it is left behind.
    """
    path = program()
    if path is None:
        print("agentflow was not found: install AgentFlow, or name its program in AGENTFLOW_PROGRAM", file=sys.stderr)
        return NOT_FOUND
    children, asked = [], []

    def hand_on(*_):
        asked.append(True)
        for child in children:
            child.terminate()

    # Handlers, for what is ignored here would be ignored there, too.
    before = {
        signal.SIGINT: signal.signal(signal.SIGINT, lambda *_: None),
        signal.SIGTERM: signal.signal(signal.SIGTERM, hand_on),
    }
    try:
        children.append(subprocess.Popen([path, *arguments]))
        if asked:
            children[0].terminate()
        code = children[0].wait()
    except OSError as failure:
        print(f"{path} cannot be run: {failure.strerror}", file=sys.stderr)
        return NOT_FOUND
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return code if code >= 0 else 128 - code
