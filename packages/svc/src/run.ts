import { CommanderError } from 'commander';
import { plainText } from './plain-text.js';
import { createProgram } from './program.js';
import { quietSqlite } from './quiet-sqlite.js';

quietSqlite(process);

const stop = new AbortController();
const signals = ['SIGINT', 'SIGTERM'] as const;
/** Whoever asks a second time, with the other signal too, does not want to wait: Node then ends the process. */
const onSignal = () => {
  for (const signal of signals) process.off(signal, onSignal);
  stop.abort();
};
for (const signal of signals) process.on(signal, onSignal);

// Names, events and answers of servers are other people's text.
const line = (stream: NodeJS.WriteStream) => (text: string) =>
  stream.write(plainText(text.endsWith('\n') ? text : `${text}\n`));
const terminal = {
  out: line(process.stdout),
  error: line(process.stderr),
  environment: process.env,
  signal: stop.signal,
};

// Whoever reads the output is gone, such as `head`: there is nobody to go on for. Logs that nobody takes end no run.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  stop.abort();
  if (error.code === 'EPIPE') return;
  // On a disk that is full what was to be kept, such as a key, is lost.
  terminal.error(`svc: The output could not be written: ${error.message}.`);
  process.exitCode = 1;
});
process.stderr.on('error', () => {});

try {
  await createProgram(terminal).parseAsync(process.argv);
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else {
    process.exitCode = 1;
    // What was interrupted is not done, which whoever did it knows; what failed on the way to its end is told.
    if (error !== stop.signal.reason)
      terminal.error(`svc: ${error instanceof Error ? error.message : String(error)}`);
  }
}
