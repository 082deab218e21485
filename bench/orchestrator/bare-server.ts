import { createServer } from 'node:http';
import { reportOnSignal } from './report-usage.ts';

/** Answers the same requests with the same frames and does nothing else: the cost of HTTP alone. */
let sessions = 0;
const streams = new Map<string, { calls: number; write: (frame: string) => void; end: () => void }>();
const call = (id: string, number: number) =>
  `id: ${number}\nevent: tool_event\ndata: {"id":"${id}-${number}","value":{"tool_call":{"tool_id":"t-work","tool_name":"work","args":{"number":${number}}}}}\n\n`;

const server = createServer((request, response) => {
  const path = request.url ?? '';
  const json = (body: object) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  if (path.endsWith('/events')) {
    const id = path.split('/')[2] ?? '';
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    streams.set(id, { calls: 1, write: (frame) => response.write(frame), end: () => response.end() });
    response.write(call(id, 1));
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    if (path === '/start-session') {
      const base = `http://${request.headers.host}/sessions/${(sessions += 1)}`;
      json({ session_id: String(sessions), events_url: `${base}/events`, resume_url: `${base}/resume` });
      return;
    }
    const id = path.split('/')[2] ?? '';
    const stream = streams.get(id);
    json({ accepted: true });
    if (!stream) return;
    stream.calls += 1;
    if (stream.calls <= 5) stream.write(call(id, stream.calls));
    else {
      stream.write('id: 6\nevent: final\ndata: {"status":"completed"}\n\n');
      stream.end();
    }
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  reportOnSignal(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0} none`);
});
