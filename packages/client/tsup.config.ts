import { modules } from '../../tooling/tsup.ts';

export default modules();
