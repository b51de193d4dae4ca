// Puts HTTP in front of a server on a pipe, for suites that only speak HTTP:
//   node bridge.mjs SEPTET...
// It prints its URL. A handshake gets a server process and a session of its
// own; requests without a session share one process, as they need no state.
// Nothing of a frame is changed but its id, which must be unique on a pipe.
import http from "node:http";
import readline from "node:readline";
import { randomUUID } from "node:crypto";
import { spawn } from "node:child_process";

const prefix = "io.modelcontextprotocol/";
const [command, ...args] = process.argv.slice(2);
const sessions = new Map();
let shared;

class Pipe {
  constructor() {
    this.waiting = new Map();
    this.lastID = 0;
    this.process = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    readline.createInterface({ input: this.process.stdout }).on("line", (line) => this.receive(JSON.parse(line)));
  }

  receive(message) {
    const subscription = message.params?._meta?.[`${prefix}subscriptionId`];
    if (subscription !== undefined) {
      const call = this.waiting.get(subscription);
      message.params._meta[`${prefix}subscriptionId`] = call?.id;
      return call?.notified(message);
    }
    const call = this.waiting.get(message.id);
    if (!call) return; // another notification
    this.waiting.delete(message.id);
    call.resolve({ ...message, id: call.id });
  }

  // send gives a promise of the answer, or undefined for a notification.
  send(message, notified = () => {}) {
    if (message.id === undefined) {
      this.process.stdin.write(JSON.stringify(message) + "\n");
      return undefined;
    }
    const key = `bridge-${++this.lastID}`;
    this.process.stdin.write(JSON.stringify({ ...message, id: key }) + "\n");
    return new Promise((resolve) => this.waiting.set(key, { id: message.id, resolve, notified }));
  }

  end() {
    this.process.stdin.end();
  }
}

function answer(response, status, body, headers = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(body === undefined ? "" : JSON.stringify(body));
}

async function bodyOf(request) {
  let text = "";
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}

// The transport gives these protocol errors a status of their own.
function statusOf(message) {
  if (message.error?.code === -32601) return 404;
  return message.error && [-32602, -32020, -32021, -32022].includes(message.error.code) ? 400 : 200;
}

async function post(request, response) {
  const message = await bodyOf(request);
  const id = request.headers["mcp-session-id"];
  const modern = message.params?._meta?.[`${prefix}protocolVersion`] !== undefined;
  if (message.method === "initialize" && !id && !modern) {
    const pipe = new Pipe();
    const session = randomUUID();
    sessions.set(session, pipe);
    return answer(response, 200, await pipe.send(message), { "mcp-session-id": session });
  }
  if (id && !sessions.has(id)) return answer(response, 404);
  const version = message.params?._meta?.[`${prefix}protocolVersion`];
  const header = request.headers["mcp-protocol-version"];
  if (version !== undefined && version !== header) {
    const error = { code: -32020, message: `the header says ${header}, the request ${version}` };
    return answer(response, 400, { jsonrpc: "2.0", id: message.id, error });
  }
  const pipe = sessions.get(id) ?? (shared ??= new Pipe());
  if (message.method === "subscriptions/listen") return listen(pipe, message, response);
  const reply = await pipe.send(message);
  if (reply === undefined) return answer(response, 202);
  answer(response, id ? 200 : statusOf(reply), reply);
}

// listen holds the response open: what belongs to the subscription is an event
// each. When the client goes, the request is cancelled as on a pipe.
function listen(pipe, message, response) {
  const event = (frame) => response.write(`event: message\ndata: ${JSON.stringify(frame)}\n\n`);
  response.writeHead(200, { "content-type": "text/event-stream" });
  const key = `bridge-${pipe.lastID + 1}`;
  pipe.send(message, event).then((reply) => (event(reply), response.end()));
  response.on("close", () => pipe.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: key } }));
}

const server = http.createServer(async (request, response) => {
  try {
    if (request.method === "POST") return await post(request, response);
    const id = request.headers["mcp-session-id"];
    if (request.method === "DELETE" && sessions.has(id)) {
      sessions.get(id).end();
      sessions.delete(id);
      return answer(response, 200);
    }
    answer(response, request.method === "DELETE" ? 404 : 405);
  } catch (error) {
    answer(response, 400, { jsonrpc: "2.0", id: null, error: { code: -32700, message: String(error) } });
  }
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
