import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fault } from './run-plan.js';

/**
 * A proxy in front of an orchestrator. Unlike the `chaosProxy` for event routes it also refuses requests and loses
 * answers, and it keeps the host name, because an orchestrator's answers contain its address.
 */
export async function faultyProxy(target: string, faults: readonly Fault[]) {
  let next = 0;
  const server = createServer((incoming, outgoing) => {
    const fault = faults[next++] ?? 'none';
    if (fault === 'refused') {
      incoming.resume();
      outgoing.writeHead(502).end();
    } else forward(incoming, outgoing, new URL(incoming.url ?? '/', target), fault);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, url: URL, fault: Fault): void {
  const upstream = sendRequest(url, { method: incoming.method, headers: incoming.headers }, (response) => {
    passBody(response, outgoing, fault).catch(() => outgoing.destroy());
  });
  upstream.on('error', () => outgoing.destroy());
  outgoing.on('close', () => upstream.destroy());
  incoming.pipe(upstream);
}

async function passBody(response: IncomingMessage, outgoing: ServerResponse, fault: Fault): Promise<void> {
  if (fault === 'answer lost') return void outgoing.destroy();
  outgoing.writeHead(response.statusCode ?? 502, response.headers);
  outgoing.flushHeaders();
  let rest = typeof fault === 'object' ? fault.cutAt : Infinity;
  for await (const bytes of response) {
    if (bytes.length > rest) {
      outgoing.write(bytes.subarray(0, rest), () => outgoing.destroy());
      return;
    }
    outgoing.write(bytes);
    rest -= bytes.length;
  }
  outgoing.end();
}
