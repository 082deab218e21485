import { library } from '../../tooling/tsup.ts';

export default library({ server: 'src/server.ts' });
