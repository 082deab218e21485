import { library } from '../../tooling/tsup.ts';

export default library({ index: 'src/index.ts', sqlite: 'src/sqlite.ts', testing: 'src/testing.ts' });
