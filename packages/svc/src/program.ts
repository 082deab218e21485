import { KEY_OPERATIONS } from '@svc/orchestrator';
import { Command } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { runDoctor } from './commands/doctor.js';
import { createKey, listKeys, revokeKey } from './commands/keys.js';
import { runOrchestrator } from './commands/orchestrator.js';
import { tailEvents } from './commands/tail-events.js';
import type { Terminal } from './terminal.js';

const collect = (value: string, before: string[] = []) => [...before, value];
const storeOption = ['--store <file>', 'store file that the orchestrator uses (SVC_STORE)'] as const;

function addKeys(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').description('manage the project keys of an orchestrator');
  keys.hook('preAction', () => terminal.signal.throwIfAborted());
  keys
    .command('create')
    .description('create a key and show it once')
    .requiredOption('--project <name>', 'project that the key belongs to')
    .option('--organization <name>', 'organization of the project')
    .option(
      '--operations <names>',
      `operations that the key permits, from ${KEY_OPERATIONS.join(',')} (default: all)`,
    )
    .option(...storeOption)
    .action((flags) => createKey(flags, terminal));
  keys
    .command('list')
    .description('list keys without their secrets')
    .option('--project <name>', 'list only the keys of this project')
    .option(...storeOption)
    .action((flags) => listKeys(flags, terminal));
  keys
    .command('revoke <id>')
    .description('revoke a key and end its streams and runs')
    .option(...storeOption)
    .action((id, flags) => revokeKey(id, flags, terminal));
}

function addStreams(program: Command, terminal: Terminal): void {
  program
    .command('events')
    .description('work with event streams')
    .command('tail <url>')
    .description('print the events of a session as they arrive, one JSON envelope per line')
    .option('--header <name: value>', 'request header; repeatable', collect)
    .option('--last-event-id <id>', 'start after this event')
    .action((url, flags) => tailEvents(url, flags, terminal));
  program
    .command('doctor <url>')
    .description('check what your proxies do to an event stream and how to fix it')
    .option('--header <name: value>', 'request header; repeatable', collect)
    .option('--seconds <n>', 'how long to watch; at least two heartbeat intervals', '35')
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
    .option('--host <address>', 'address to bind (SVC_HOST; default: 127.0.0.1)')
    .option('--port <number>', 'port to bind; 0 selects a free one (SVC_PORT; default: 7420)')
    .option('--store <file>', 'file to store runs and keys in (SVC_STORE; default: memory)')
    .option('--project <name>', 'project of the key in SVC_API_KEY (default: local)')
    .option('--public-url <url>', 'URL at which clients reach it behind a proxy')
    .option('--allowed-host <name>', 'additional host name to accept; repeatable', collect)
    .option(
      '--web-search <url>',
      'URL of a JSON search service for web_search, containing {query} (SVC_WEB_SEARCH; default: off)',
    )
    .option('--web-search-private', 'allow a search service in a private network (SVC_WEB_SEARCH_PRIVATE=1)')
    .option('--repl', 'let models run JavaScript in a sandbox (SVC_REPL=1; default: off)')
    .option('--drain-seconds <n>', 'how long to wait for open runs at shutdown', '10')
    .action((flags) => runOrchestrator(flags, terminal));
  addKeys(program, terminal);
  addStreams(program, terminal);
  return program;
}
