import { library } from '../../tooling/tsup.ts';

export default library(
  {
    v1: 'src/v1.ts',
    schemas: 'src/schemas.ts',
    orchestrator: 'src/orchestrator.ts',
    sse: 'src/sse.ts',
    'event-names': 'src/event-names.ts',
    'sdk-error': 'src/sdk-error.ts',
  },
  'neutral',
);
