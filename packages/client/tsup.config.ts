import { library } from '../../tooling/tsup.ts';

export default library({ index: 'src/index.ts', react: 'src/react.ts', shared: 'src/shared.ts' }, 'neutral');
