/** Creates an error response. */
export function refuse(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }, { status, headers });
}

/** Creates the response of a closed server. */
export function refuseClosed(): Response {
  return refuse(503, 'The server is closed.');
}
