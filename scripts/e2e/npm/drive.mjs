// Drives one npm client against a server:
//   node drive.mjs ROW SCENARIO.json WORKSPACE SEPTET...
// ROW is an index into the table in clients.mjs. Each check prints "ok" or
// "FAIL" with its name; the exit code is 1 when one failed.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { clients, load, nameOf } from "./clients.mjs";

const [index, scenarioFile, workspace, command, ...args] = process.argv.slice(2);
const row = clients[Number(index)];
const scenario = JSON.parse(fs.readFileSync(scenarioFile, "utf8"));
let failures = 0;

async function check(name, body) {
  try {
    await body();
    console.log(`ok   ${nameOf(row)}: ${name}`);
  } catch (error) {
    failures++;
    console.log(`FAIL ${nameOf(row)}: ${name}: ${error?.stack ?? error}`);
  }
}

function prepare() {
  for (const [name, content] of Object.entries(scenario.files)) {
    fs.mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
    fs.writeFileSync(path.join(workspace, name), content);
  }
}

// record keeps every frame the transport receives, so that what went over the
// pipe can be looked at whatever the client makes of it.
function record(transport) {
  const frames = [];
  let deliver;
  Object.defineProperty(transport, "onmessage", {
    set: (f) => (deliver = f),
    get: () => deliver && ((message, ...rest) => (frames.push(message), deliver(message, ...rest))),
  });
  return frames;
}

function within(ms, what, promise) {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`${what}: nothing after ${ms} ms`)), ms)));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function textOf(result) {
  return result.content.map((block) => block.text).join("\n");
}

const { Client, StdioClientTransport, options, call } = await load(row);
const transport = new StdioClientTransport({ command, args, stderr: "inherit" });
const frames = record(transport);
const client = new Client({ name: "septet-e2e", version: "1" }, { capabilities: {}, ...options });
const errors = [];
client.onerror = (error) => errors.push(error);

prepare();
await check("connect", () => within(10_000, "connect", client.connect(transport)));
if (failures > 0) process.exit(1);

await check("revision", () => {
  const answers = frames.map((f) => f.result).filter(Boolean);
  const agreed = answers.find((r) => r.protocolVersion)?.protocolVersion ?? (client.getNegotiatedProtocolVersion?.() || "none");
  assert.equal(agreed, row.revision);
});

await check("list", async () => {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((t) => t.name), scenario.tools);
  for (const tool of tools) assert.equal(tool.inputSchema.type, "object");
});

for (const step of scenario.calls) {
  await check(step.name, async () => {
    const result = await call(client, { name: step.tool, arguments: step.arguments });
    assert.match(textOf(result), new RegExp(step.text));
    assert.equal(Boolean(result.isError), step.code !== undefined);
    assert.equal(result._meta["septet/error"]?.code, step.code);
  });
}

await check("progress", async () => {
  const seen = [];
  const { tool: name, arguments: input, text } = scenario.progress;
  const result = await call(client, { name, arguments: input }, { onprogress: (p) => seen.push(p.progress) });
  assert.match(textOf(result), new RegExp(text));
  assert.ok(seen.length > 0, "no progress arrived");
  assert.ok(seen.every((p, i) => i === 0 || p > seen[i - 1]), `progress does not grow: ${seen}`);
});

await check("cancel", async () => {
  const stop = new AbortController();
  const { tool: name, arguments: input } = scenario.cancel;
  const pending = call(client, { name, arguments: input }, { signal: stop.signal, onprogress: () => stop.abort("enough") });
  await assert.rejects(within(10_000, "cancel", pending));
  const before = frames.length;
  await within(5_000, "an answer after the cancel", call(client, { name: "list", arguments: {} }));
  assert.equal(frames.length, before + 1, "a frame of the cancelled call arrived");
});

await check("unknown tool", async () => {
  await assert.rejects(call(client, { name: "teleport", arguments: {} }), (e) => e.code === -32602 && /Unknown tool/.test(e.message));
});

// The newest revision has no ping, so its client cannot send one.
if (row.revision !== "2026-07-28") await check("ping", () => within(5_000, "ping", client.ping()));

await check("close", async () => {
  const pid = transport.pid ?? transport._process?.pid;
  await within(5_000, "close", client.close());
  const deadline = Date.now() + 3_000;
  while (isAlive(pid)) {
    assert.ok(Date.now() < deadline, `process ${pid} is still there`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});

// These clients use the request's id as its token.
await check("no progress after its answer", () => {
  const answered = new Set();
  for (const frame of frames) {
    if (frame.method === "notifications/progress") assert.ok(!answered.has(frame.params.progressToken), JSON.stringify(frame));
    else answered.add(frame.id);
  }
});

// A client that reads a progress and its answer at once handles the answer
// first and then complains of the progress. The order on the pipe is checked
// above.
await check("no protocol errors", () => {
  const others = errors.map(String).filter((e) => !e.includes("progress notification for an unknown token"));
  assert.deepEqual(others, []);
});
process.exit(failures > 0 ? 1 : 0);

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
