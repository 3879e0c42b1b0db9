"""Two commands for llm that run AgentFlow: a server of chat rooms, and agents that join one.

The work is done by the agentflow program; this plugin finds it, makes its command line and
hands over its exit code. Agents ask their models as agentflow is configured to; the models
of llm itself are there as the provider llm (model: llm/NAME).
"""

import click
import llm

from .command import client_command, run, server_command

# What agentflow says about its flags counts; here they are only handed on.
HANDED_ON = {"ignore_unknown_options": True, "allow_extra_args": True}


@llm.hookimpl
def register_commands(cli):
    @cli.command(name="agentchat-server", context_settings=HANDED_ON)
    @click.option("--listen", help="Address and port to listen on")
    @click.option("--agents", "agents", type=click.Path(), help="agents.yml of agents that the server runs")
    @click.option("--room", help="Room of these agents")
    @click.pass_context
    def server(ctx, listen, agents, room):
        """Serve chat rooms, and open them in the browser.

        Further options are those of: agentflow chat server --help
        """
        ctx.exit(run(server_command(listen, agents, room, ctx.args)))

    @cli.command(name="agentchat-client", context_settings=HANDED_ON)
    @click.option("--url", help="Address of the server")
    @click.option("--room", required=True, help="Room to join")
    @click.option("--agents", "agents", type=click.Path(), default="agents.yml", show_default=True, help="agents.yml that describes the agents")
    @click.option("--agent", "names", multiple=True, help="Only the agent of this name; several times for several")
    @click.pass_context
    def client(ctx, url, room, agents, names):
        """Have the agents of an agents.yml talk in a room.

        Further options are those of: agentflow chat join --help
        """
        ctx.exit(run(client_command(url, room, agents, names, ctx.args)))
