import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a model says, or which tool it wants used. */
export type Reply = string | { tool: string; arguments: object };

export type ModelServerOptions = {
  models?: string[];
  /** Where it listens; this computer if absent. */ host?: string;
  /** Answers whole requests, first of all the system prompt. */ reply?: (
    messages: { role: string; content: string }[],
  ) => Reply;
  /** Without it no key is asked for. */ key?: string;
  answer?: string;
  port?: number;
  /** Says an answer in pieces, when it wants; throwing cuts the line. */ script?: (
    question: string,
    model: string,
  ) => AsyncIterable<string> | Iterable<string>;
  /** What a question and its answer are said to have cost. */ tokens?: [number, number];
};

/** An OpenAI-compatible server that is an Ollama as well, on a real socket. */
export class ModelServer {
  /** What was asked: path, key and body. */
  readonly asked: { path: string; key: string; body: string }[] = [];
  /** Set to fail every question with this status. */
  status = 200;
  private readonly server: Server;
  private readonly options: ModelServerOptions;

  private constructor(options: ModelServerOptions) {
    this.options = options;
    this.server = createServer((req, res) => {
      void this.answer(req, res);
    });
  }

  static async start(options: ModelServerOptions = {}): Promise<ModelServer> {
    const s = new ModelServer(options);
    await new Promise<void>((resolve, reject) => {
      s.server.once("error", reject);
      s.server.listen(options.port ?? 0, options.host ?? "127.0.0.1", resolve);
    });
    return s;
  }

  get url(): string {
    return `http://${this.options.host ?? "127.0.0.1"}:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((r) => this.server.close(r));
  }

  private async answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of req) body += String(chunk);
    const path = req.url ?? "",
      key = (req.headers.authorization ?? "").replace(/^Bearer /, "");
    this.asked.push({ path, key, body });
    const { models = ["qwen3:8b", "llama3.2:3b"], key: wanted, answer = "Ready" } = this.options;
    const json = (status: number, what: unknown) =>
      res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(what));
    if (wanted && key !== wanted) {
      json(401, { error: { message: `Incorrect API key provided: ${key}` } });
      return;
    }
    if (path === "/api/tags") {
      json(200, { models: models.map((name) => ({ name })) });
      return;
    }
    if (path === "/v1/models") {
      json(200, { object: "list", data: models.map((id) => ({ id, object: "model" })) });
      return;
    }
    if (path === "/api/chat" && this.status === 200) {
      res.writeHead(200, { "content-type": "application/x-ndjson" });
      res.end(
        [
          { message: { role: "assistant", content: answer }, done: false },
          { message: { role: "assistant", content: "" }, done: true, done_reason: "stop" },
        ]
          .map((l) => `${JSON.stringify(l)}\n`)
          .join(""),
      );
      return;
    }
    if (path !== "/v1/chat/completions" && path !== "/api/chat") {
      json(404, { error: { message: "not here" } });
      return;
    }
    if (this.status !== 200) {
      json(this.status, { error: { message: "the machine is on fire" } });
      return;
    }
    res.writeHead(200, { "content-type": "text/event-stream" });
    if (this.options.reply) {
      this.play(this.options.reply, body, res);
      return;
    }
    if (this.options.script) {
      await this.perform(this.options.script, body, res);
      return;
    }
    for (const piece of [
      { choices: [{ index: 0, delta: { content: answer } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
    ])
      res.write(`data: ${JSON.stringify(piece)}\n\n`);
    res.end("data: [DONE]\n\n");
  }

  private play(reply: NonNullable<ModelServerOptions["reply"]>, body: string, res: ServerResponse): void {
    const said = reply((JSON.parse(body) as { messages: { role: string; content: string }[] }).messages);
    const delta =
      typeof said === "string"
        ? { content: said }
        : {
            tool_calls: [
              {
                index: 0,
                id: `call-${this.asked.length}`,
                type: "function",
                function: { name: said.tool, arguments: JSON.stringify(said.arguments) },
              },
            ],
          };
    for (const choice of [
      { index: 0, delta },
      { index: 0, delta: {}, finish_reason: typeof said === "string" ? "stop" : "tool_calls" },
    ])
      res.write(`data: ${JSON.stringify({ choices: [choice] })}\n\n`);
    res.end("data: [DONE]\n\n");
  }

  private async perform(
    script: NonNullable<ModelServerOptions["script"]>,
    body: string,
    res: ServerResponse,
  ): Promise<void> {
    const { messages, model } = JSON.parse(body) as { messages: { role: string; content: string }[]; model: string },
      [asked, said] = this.options.tokens ?? [7, 3];
    res.flushHeaders();
    try {
      for await (const content of script(messages.at(-1)?.content ?? "", model) as AsyncIterable<string>)
        res.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
      res.end(
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\ndata: ${JSON.stringify({ choices: [], usage: { prompt_tokens: asked, completion_tokens: said, total_tokens: asked + said } })}\n\ndata: [DONE]\n\n`,
      );
    } catch {
      res.destroy();
    }
  }
}
