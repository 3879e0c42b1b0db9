// An A2A agent in a separate process, on the official SDK's server. The message it gets decides what it does.
// It prints what it receives to standard output, one message per line.
import { TaskState, Role } from "@a2a-js/sdk";
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import express from "express";

const token = process.env.AGENT_TOKEN,
  port = Number(process.env.AGENT_PORT ?? 0),
  again = process.env.AGENT_AGAIN === "1";
const tell = (what) => {
  process.stdout.write(`${what}\n`);
};
const part = (value) => ({
  content: { $case: "text", value },
  metadata: undefined,
  filename: "",
  mediaType: "text/plain",
});
const cancelled = new Map();

/** What one message brings. */
function turn(context, bus) {
  const { taskId, contextId, userMessage } = context;
  const text = userMessage.parts.map((p) => (p.content?.$case === "text" ? p.content.value : "")).join("");
  const message = (words) => ({
    messageId: crypto.randomUUID(),
    role: Role.ROLE_AGENT,
    parts: [part(words)],
    taskId,
    contextId,
    extensions: [],
    referenceTaskIds: [],
    metadata: undefined,
  });
  return {
    text,
    contextId,
    taskId,
    asked: context.task,
    begin: () =>
      bus.publish(
        AgentEvent.task(
          context.task ?? {
            id: taskId,
            contextId,
            status: { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: new Date().toISOString() },
            artifacts: [],
            history: [userMessage],
            metadata: undefined,
          },
        ),
      ),
    state: (state, words, metadata) =>
      bus.publish(
        AgentEvent.statusUpdate({
          taskId,
          contextId,
          status: { state, message: words ? message(words) : undefined, timestamp: new Date().toISOString() },
          metadata,
        }),
      ),
    say: (words, append, lastChunk = false) =>
      bus.publish(
        AgentEvent.artifactUpdate({
          taskId,
          contextId,
          artifact: {
            artifactId: "a",
            name: "Answer",
            description: "",
            parts: [part(words)],
            metadata: undefined,
            extensions: [],
          },
          append,
          lastChunk,
          metadata: undefined,
        }),
      ),
    reply: (words) => bus.publish(AgentEvent.message({ ...message(words), taskId: "" })),
  };
}

const does = {
  bread: async (t) => {
    t.begin();
    t.state(TaskState.TASK_STATE_WORKING, "kneading", { progress: 40 });
    t.say("Flour, ", false);
    t.say("water, ", true);
    t.state(TaskState.TASK_STATE_WORKING, "baking", { progress: 20 }); // less than before: that counts for nothing
    t.say("salt.", true, true);
    t.state(TaskState.TASK_STATE_COMPLETED);
  },
  slow: async (t) => {
    t.begin();
    t.state(TaskState.TASK_STATE_WORKING, "resting");
    await new Promise((done) => {
      cancelled.set(t.taskId, done);
    });
    t.state(TaskState.TASK_STATE_CANCELED, "taken out of the oven");
  },
  ask: async (t) => {
    t.begin();
    if (!t.asked) {
      t.say("I can bake on either day.", false);
      t.state(TaskState.TASK_STATE_INPUT_REQUIRED, "Which Friday: 20 or 27?");
      return;
    }
    t.say(`Baked for ${t.text}.`, false, true);
    t.state(TaskState.TASK_STATE_COMPLETED);
  },
  fail: async (t) => {
    t.begin();
    t.state(TaskState.TASK_STATE_FAILED, "the oven is cold");
  },
  reject: async (t) => {
    t.begin();
    t.state(TaskState.TASK_STATE_REJECTED, "I only bake");
  },
  direct: async (t) => {
    t.reply("Yes.");
  },
  die: async (t) => {
    if (again) {
      t.begin();
      t.say("Second loaf.", false, true);
      t.state(TaskState.TASK_STATE_COMPLETED);
      return;
    }
    t.begin();
    t.say("First lo", false);
    setTimeout(() => process.exit(7), 50); // what was said is on its way
    await new Promise(() => {});
  },
};

const asking = new Map();
const executor = {
  execute: async (context, bus) => {
    const t = turn(context, bus);
    tell(`message ${JSON.stringify({ text: t.text, context: t.contextId, metadata: context.userMessage.metadata })}`);
    const what = asking.get(t.taskId) ?? t.text.split(" ")[0];
    asking.set(t.taskId, what);
    await (does[what] ?? does.bread)(t);
    bus.finished();
  },
  cancelTask: async (id) => {
    tell(`cancel ${id}`);
    cancelled.get(id)?.();
  },
};

const app = express();
const server = app.listen(port, "127.0.0.1", () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  const card = {
    name: "Baker",
    description: "Bakes.",
    version: "1",
    provider: undefined,
    documentationUrl: undefined,
    iconUrl: undefined,
    signatures: [],
    extensions: [],
    supportedInterfaces: [
      { url: `${process.env.AGENT_SAYS ?? url}/rpc`, protocolBinding: "JSONRPC", tenant: "", protocolVersion: "1.0" },
    ],
    capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
  };
  const handler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: handler }));
  app.use("/rpc", (req, res, next) => {
    if (req.headers.authorization !== `Bearer ${token}`) {
      tell(`refused ${req.headers.authorization ?? "nobody"}`);
      res.status(401).end();
      return;
    }
    next();
  });
  app.use("/rpc", jsonRpcHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication }));
  tell(`listening ${url}`);
});
