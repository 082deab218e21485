import { KEY_OPERATIONS } from '@svc/orchestrator';
import { Command } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { runDoctor } from './commands/doctor.js';
import { createKey, listKeys, revokeKey } from './commands/keys.js';
import { runOrchestrator } from './commands/orchestrator.js';
import { tailEvents } from './commands/tail-events.js';
import type { Terminal } from './terminal.js';

const collect = (value: string, before: string[] = []) => [...before, value];
const storeOption = ['--store <file>', 'file of the store, as the orchestrator uses it (SVC_STORE)'] as const;

function addKeys(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').description('project keys of an orchestrator');
  keys
    .command('create')
    .description('make a key; it is shown once')
    .requiredOption('--project <name>', 'project that the key belongs to')
    .option('--organization <name>', 'organization of the project')
    .option('--operations <names>', `what it is limited to, of ${KEY_OPERATIONS.join(',')} (all)`)
    .option(...storeOption)
    .action((flags) => createKey(flags, terminal));
  keys
    .command('list')
    .description('list keys, never the keys themselves')
    .option('--project <name>', 'only those of a project')
    .option(...storeOption)
    .action((flags) => listKeys(flags, terminal));
  keys
    .command('revoke <id>')
    .description('refuse a key from now on, and end its streams and runs')
    .option(...storeOption)
    .action((id, flags) => revokeKey(id, flags, terminal));
}

function addStreams(program: Command, terminal: Terminal): void {
  program
    .command('events')
    .description('event streams')
    .command('tail <url>')
    .description('print the events of a session as they come, one JSON envelope a line')
    .option('--header <name: value>', 'request header; may be given several times', collect)
    .option('--last-event-id <id>', 'begin after this event')
    .action((url, flags) => tailEvents(url, flags, terminal));
  program
    .command('doctor <url>')
    .description('measure what your proxies do to an event stream, and say what to change')
    .option('--header <name: value>', 'request header; may be given several times', collect)
    .option('--seconds <n>', 'how long to look; at least two heartbeat intervals', '35')
    .action(async (url, flags) => {
      if (!(await runDoctor(url, flags, terminal))) process.exitCode = 1;
    });
}

/** The command line, ready to parse arguments. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('svc')
    .description('Agents whose tools run in your process')
    .version(manifest.version, '--version', 'print the version')
    .showHelpAfterError();
  program.exitOverride().configureOutput({ writeOut: terminal.out, writeErr: terminal.error });
  program
    .command('version')
    .description('print the version')
    .action(() => terminal.out(manifest.version));
  program
    .command('orchestrator')
    .description('run an orchestrator')
    .option('--host <address>', 'address to bind (SVC_HOST; 127.0.0.1)')
    .option('--port <number>', 'port to bind, 0 takes a free one (SVC_PORT; 7420)')
    .option('--store <file>', 'keep runs and keys in this file (SVC_STORE; memory)')
    .option('--project <name>', 'project of the key in SVC_API_KEY (local)')
    .option('--public-url <url>', 'address that clients reach it under, when a proxy stands before it')
    .option('--allowed-host <name>', 'further host name to answer to; may be given several times', collect)
    .option(
      '--web-search <url>',
      'JSON search service of web_search, with {query} in it (SVC_WEB_SEARCH; off)',
    )
    .option('--web-search-private', 'let it be in a private network (SVC_WEB_SEARCH_PRIVATE=1)')
    .option('--repl', 'let models run JavaScript in a sandbox (SVC_REPL=1; off)')
    .option('--drain-seconds <n>', 'how long open runs may still take at the end', '10')
    .action((flags) => runOrchestrator(flags, terminal));
  addKeys(program, terminal);
  addStreams(program, terminal);
  return program;
}
