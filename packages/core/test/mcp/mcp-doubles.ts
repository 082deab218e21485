import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { configureLogging } from '../../src/logging/logger.js';
import { MCPServer, type MCPServerPorts } from '../../src/mcp/mcp-server.js';
import type { HttpServerOptions, StdioServerOptions } from '../../src/mcp/server-options.js';
import type { Tool, ToolContext } from '../../src/tools/declaration/tool.js';
import type { ToolLogLine, ToolProgress, ToolQuestion } from '../../src/tools/reports/tool-reports.js';

const require = createRequire(import.meta.url);

/** Returns the path of a published server's program. */
export function findServer(packageName: string): string {
  return join(dirname(require.resolve(`${packageName}/package.json`)), 'dist/index.js');
}

/** Creates a server that is closed when the test ends. */
export function connectTo(
  options: StdioServerOptions | HttpServerOptions,
  ports?: MCPServerPorts,
): MCPServer {
  const server = new MCPServer(options, ports);
  onTestFinished(async () => server.close());
  return server;
}

/** Creates the misbehaving server in one of its modes. */
export function connectToHostile(
  mode: string,
  more: Partial<StdioServerOptions> = {},
  ports?: MCPServerPorts,
): MCPServer {
  const args = [join(import.meta.dirname, 'servers/hostile.mjs'), mode, ...(more.args ?? [])];
  return connectTo({ name: 'hostile', command: process.execPath, ...more, args }, ports);
}

/** Creates the context of a tool call, which records what the tool reports. `answer` answers its questions. */
export function createContext(
  given: { runId?: string; signal?: AbortSignal; answer?: (question: ToolQuestion) => unknown } = {},
) {
  const progress: ToolProgress[] = [];
  const lines: ToolLogLine[] = [];
  const questions: ToolQuestion[] = [];
  const context: ToolContext = {
    signal: given.signal ?? new AbortController().signal,
    runId: given.runId ?? 'run-1',
    sessionId: 'session-1',
    toolEventId: 'ev-1',
    toolName: 'tool',
    reportProgress: async (report) => void progress.push(report),
    reportLog: async (line) => void lines.push(line),
    async ask(question) {
      questions.push(question);
      return given.answer?.(question);
    },
  };
  return { context, progress, lines, questions };
}

/** Calls a tool the way a run does: parse, inject, execute. */
export async function callTool(
  tools: readonly Tool[],
  name: string,
  args: Record<string, unknown> = {},
  options: { injected?: Record<string, unknown>; context?: ToolContext } = {},
): Promise<unknown> {
  const tool = toolNamed(tools, name);
  const { injected = {}, context = createContext().context } = options;
  const parsed = await tool.parseInput(args, injected);
  if (!parsed.ok) throw new Error(`invalid: ${parsed.issues.map(({ problem }) => problem).join('; ')}`);
  return tool.execute({ ...parsed.value, ...injected }, context);
}

/** Finds the tool whose name ends with `name`. */
export function toolNamed(tools: readonly Tool[], name: string): Tool {
  const tool = tools.find((candidate) => candidate.name.endsWith(name));
  if (!tool) throw new Error(`no tool ${name} among ${tools.map((other) => other.name).join(', ')}`);
  return tool;
}

/** Returns the text of a result's first block. */
export function textOf(result: unknown): string {
  const { content = [] } = result as { content?: { text?: string }[] };
  return content[0]?.text ?? '';
}

/** Whether a process is running. A zombie is not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Returns the guards of a server's process group. */
export function guardsOf(groupId: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => readCommand(pid).endsWith(`"-$0"\0${groupId}\0`));
}

function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // The process has ended in the meantime.
    return '';
  }
}

/** Collects the log lines of a test instead of printing them. */
export function catchLog(): { message: string; fields: Readonly<Record<string, unknown>> }[] {
  const lines: { message: string; fields: Readonly<Record<string, unknown>> }[] = [];
  configureLogging({ level: 'debug', sink: ({ message, fields }) => void lines.push({ message, fields }) });
  onTestFinished(() => configureLogging({ level: 'silent' }));
  return lines;
}

configureLogging({ level: 'silent' });
