/** Says that the server is ready, and on each SIGUSR2 how much CPU it has used since the last one and what it holds. */
export function reportOnSignal(ready: string): void {
  process.stdout.write(`${ready}\n`);
  let since = process.cpuUsage();
  process.on('SIGUSR2', () => {
    const { user, system } = process.cpuUsage(since);
    globalThis.gc?.();
    const { heapUsed } = process.memoryUsage();
    process.stdout.write(`${JSON.stringify({ cpuUs: user + system, heapBytes: heapUsed })}\n`);
    since = process.cpuUsage();
  });
}
