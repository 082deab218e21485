/** Prints that the server is ready and, on each SIGUSR2, the CPU time used since the last one and the heap in use. */
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
