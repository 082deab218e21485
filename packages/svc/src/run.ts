import { CommanderError } from 'commander';
import { plainText } from './plain-text.js';
import { createProgram } from './program.js';
import { quietSqlite } from './quiet-sqlite.js';

// Names, events and server responses are untrusted text.
const line = (stream: NodeJS.WriteStream) => (text: string) =>
  stream.write(plainText(text.endsWith('\n') ? text : `${text}\n`));

/** Runs the command of this process's arguments until it ends or is stopped. */
export async function run(stop: AbortController): Promise<void> {
  quietSqlite(process);
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
}
