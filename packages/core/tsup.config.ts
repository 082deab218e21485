import { library } from '../../tooling/tsup.ts';

export default library({
  index: 'src/index.ts',
  messages: 'src/messages.ts',
  mcp: 'src/mcp.ts',
  scheduling: 'src/scheduling.ts',
  testing: 'src/testing.ts',
});
