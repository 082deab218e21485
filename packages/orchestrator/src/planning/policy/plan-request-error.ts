import { MaivnSDKError } from '@svc/contracts/sdk-error';

/**
 * A request whose tools and rules contradict one another; the caller has to change it. Codes: `DUPLICATE_TOOL`,
 * `TOOL_CYCLE`, `UNKNOWN_TARGET`, `TARGETS_CONFLICT`, `NO_FINAL_TOOL`, `SEVERAL_FINAL_TOOLS`; `INVALID_REQUEST` for too many tools.
 */
export class PlanRequestError extends MaivnSDKError {}
