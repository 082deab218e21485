import { CommanderError } from 'commander';
import { plainText } from './plain-text.js';
import { createProgram } from './program.js';
import { quietSqlite } from './quiet-sqlite.js';

quietSqlite(process);

const stop = new AbortController();
const signals = ['SIGINT', 'SIGTERM'] as const;
/** After the first signal, Node's default applies: a second one, of either kind, ends the process at once. */
const onSignal = () => {
  for (const signal of signals) process.off(signal, onSignal);
  stop.abort();
};
for (const signal of signals) process.on(signal, onSignal);

// Names, events and server responses are untrusted text.
const line = (stream: NodeJS.WriteStream) => (text: string) =>
  stream.write(plainText(text.endsWith('\n') ? text : `${text}\n`));
const terminal = {
  out: line(process.stdout),
  error: line(process.stderr),
  environment: process.env,
  signal: stop.signal,
};

// When the reader of the output, such as `head`, is gone, the command stops. Unread logs do not stop it.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  stop.abort();
  if (error.code === 'EPIPE') return;
  // On a full disk the output, such as a key, is lost.
  terminal.error(`svc: cannot write the output: ${error.message}.`);
  process.exitCode = 1;
});
process.stderr.on('error', () => {});

try {
  await createProgram(terminal).parseAsync(process.argv);
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else {
    process.exitCode = 1;
    // An interrupt is not reported as an error; a failure while stopping is.
    if (error !== stop.signal.reason)
      terminal.error(`svc: ${error instanceof Error ? error.message : String(error)}`);
  }
}
