import { project } from '../../tooling/vitest-project.ts';

export default project('fastify');
