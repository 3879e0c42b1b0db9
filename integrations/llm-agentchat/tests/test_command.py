import ast
import contextlib
import io
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest

HERE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))

import importlib.util  # noqa: E402

# The package itself needs llm; its command lines do not.
spec = importlib.util.spec_from_file_location("command", HERE / "llm_agentchat" / "command.py")
command = importlib.util.module_from_spec(spec)
spec.loader.exec_module(command)


class Files(unittest.TestCase):
    def test_ch10_every_file_parses(self):
        files = sorted(HERE.rglob("*.py"))
        self.assertGreaterEqual(len(files), 3)
        for file in files:
            ast.parse(file.read_text(encoding="utf-8"), str(file))

    def test_ch10_the_entry_point_leads_to_the_hook(self):
        text = (HERE / "pyproject.toml").read_text(encoding="utf-8")
        self.assertIn('[project.entry-points.llm]\nagentchat = "llm_agentchat"', text)
        tree = ast.parse((HERE / "llm_agentchat" / "__init__.py").read_text(encoding="utf-8"))
        hooks = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
        self.assertEqual(hooks, ["register_commands"])


class Commands(unittest.TestCase):
    def test_ch10_command_lines(self):
        self.assertEqual(command.server_command(None, None, None), ["chat", "server"])
        self.assertEqual(
            command.server_command("127.0.0.1:0", "a.yml", "dev", ["--verbose"]),
            ["chat", "server", "--listen", "127.0.0.1:0", "--agents", "a.yml", "--room", "dev", "--verbose"],
        )
        self.assertEqual(
            command.client_command("http://h:1", "dev", "a.yml", ("A", "B"), ["--json"]),
            ["chat", "join", "--url", "http://h:1", "--room", "dev", "--agents", "a.yml", "--agent", "A", "--agent", "B", "--json"],
        )


class Running(unittest.TestCase):
    def stand_in(self, body):
        """A program in agentflow's place."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "agentflow"
        path.write_text(f"#!{sys.executable}\n" + textwrap.dedent(body), encoding="utf-8")
        path.chmod(0o755)
        before = os.environ.get("AGENTFLOW_PROGRAM")
        os.environ["AGENTFLOW_PROGRAM"] = str(path)
        self.addCleanup(lambda: os.environ.pop("AGENTFLOW_PROGRAM") if before is None else os.environ.update(AGENTFLOW_PROGRAM=before))
        return path

    def test_ch10_the_exit_code_is_handed_on(self):
        self.stand_in("import sys; sys.exit(5 if sys.argv[1:3] == ['chat', 'join'] else 9)")
        self.assertEqual(command.run(command.client_command(None, "dev", "a.yml")), 5)

    def test_ch10_a_missing_program_is_told(self):
        os.environ["AGENTFLOW_PROGRAM"] = "/nowhere/agentflow"
        self.addCleanup(os.environ.pop, "AGENTFLOW_PROGRAM")
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            self.assertEqual(command.run(["chat"]), command.NOT_FOUND)
        self.assertIn("/nowhere/agentflow cannot be run", said.getvalue())

    def test_ch10_a_request_to_end_is_handed_on(self):
        path = self.stand_in(
            """
            import signal, sys
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
            print("ready", flush=True)
            signal.pause()
            """
        )
        code = f"import importlib.util,sys\nspec=importlib.util.spec_from_file_location('command',{str(HERE / 'llm_agentchat' / 'command.py')!r})\nm=importlib.util.module_from_spec(spec)\nspec.loader.exec_module(m)\nsys.exit(m.run([]))"
        environment = dict(os.environ, AGENTFLOW_PROGRAM=str(path))
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment) as outer:
            self.assertEqual(outer.stdout.readline(), b"ready\n")
            outer.send_signal(signal.SIGTERM)
            self.assertEqual(outer.wait(timeout=60), 7)


if __name__ == "__main__":
    unittest.main()
