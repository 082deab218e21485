/** The version of this protocol. Additive changes do not change it. */
export const PROTOCOL_VERSION = '1';

// An orchestrator or a caller may give an id that cannot be encoded: it is not found, which an error with a code says.
const segment = (id: string) => encodeURIComponent(id.toWellFormed());
const memoryPolicyPath = (id: string) => `/organizations/${segment(id)}/memory-policy`;
const memoryPath = (id: string) => `/projects/${segment(id)}/memory`;

/** Builds the path of each endpoint. Paths start with a slash; append them to a base URL without a trailing one. */
export const ORCHESTRATOR_PATHS = {
  health: () => '/health',
  ready: () => '/health/ready',
  startSession: () => '/start-session',
  sessions: () => '/sessions',
  session: (sessionId: string) => `/sessions/${segment(sessionId)}`,
  events: (sessionId: string) => `/sessions/${segment(sessionId)}/events`,
  resume: (sessionId: string) => `/sessions/${segment(sessionId)}/resume`,
  checkpointResume: (checkpointId: string) => `/api/v1/checkpoints/${segment(checkpointId)}/resume`,
  previewRedaction: () => '/preview-redaction',
  memoryPolicy: memoryPolicyPath,
  memoryPurge: (organizationId: string) => `${memoryPolicyPath(organizationId)}/purge`,
  skills: (projectId: string) => `${memoryPath(projectId)}/skills`,
  skill: (projectId: string, id: string) => `${memoryPath(projectId)}/skills/${segment(id)}`,
  insights: (projectId: string) => `${memoryPath(projectId)}/insights`,
  insight: (projectId: string, id: string) => `${memoryPath(projectId)}/insights/${segment(id)}`,
  promoteInsight: (projectId: string, id: string) =>
    `${memoryPath(projectId)}/insights/${segment(id)}/promote`,
  resources: (projectId: string) => `${memoryPath(projectId)}/resources`,
  resource: (projectId: string, id: string) => `${memoryPath(projectId)}/resources/${segment(id)}`,
  replaceResource: (projectId: string, id: string) =>
    `${memoryPath(projectId)}/resources/${segment(id)}/replace`,
  restoreResource: (projectId: string, id: string) =>
    `${memoryPath(projectId)}/resources/${segment(id)}/restore`,
  rebindResource: (projectId: string, id: string) =>
    `${memoryPath(projectId)}/resources/${segment(id)}/rebind`,
  bindResource: (projectId: string, id: string) => `${memoryPath(projectId)}/resources/${segment(id)}/bind`,
  unboundResources: (projectId: string) => `${memoryPath(projectId)}/resources/unbound/candidates`,
} as const;
