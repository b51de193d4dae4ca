// The npm clients that are driven: package alias in package.json, how it is
// asked to connect, and the revision that it must then speak.
export const clients = [
  { package: "sdk-1.0.4", revision: "2024-11-05" },
  { package: "sdk-1.12.3", revision: "2025-03-26" },
  { package: "sdk-1.17.5", revision: "2025-06-18" },
  { package: "sdk-1.22.0", revision: "2025-06-18" },
  { package: "sdk-1.25.3", revision: "2025-11-25" },
  { package: "sdk-1.32.2", revision: "2025-11-25" },
  { package: "client-2.4.0", mode: "legacy", revision: "2025-11-25" },
  { package: "client-2.4.0", mode: "auto", revision: "2026-07-28" },
  { package: "client-2.4.0", mode: { pin: "2026-07-28" }, revision: "2026-07-28" },
];

export function nameOf(row) {
  const mode = row.mode?.pin ? "pinned" : row.mode;
  return `npm ${row.package}${mode ? ` (${mode})` : ""}`;
}

// load gives the two classes and a call function that is the same for the old
// package, where the result's schema is an argument, and the new one.
export async function load(row) {
  if (row.package.startsWith("client-")) {
    const { Client } = await import(row.package);
    const { StdioClientTransport } = await import(`${row.package}/stdio`);
    const options = { versionNegotiation: { mode: row.mode } };
    return { Client, StdioClientTransport, options, call: (c, params, o) => c.callTool(params, o) };
  }
  const { Client } = await import(`${row.package}/client/index.js`);
  const { StdioClientTransport } = await import(`${row.package}/client/stdio.js`);
  return { Client, StdioClientTransport, options: {}, call: (c, params, o) => c.callTool(params, undefined, o) };
}
