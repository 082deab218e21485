import { SharingScopeSchema, type BoundResource, type SharingScope } from '@svc/contracts/orchestrator';
import * as z from 'zod';
import type { ShapeOf } from '../config/options.js';
import { parseAttachment } from '../messages/attachment.js';
import { present } from '../present.js';

const nonBlank = z.string().trim().min(1);

/** A resource: a file or an address that runs may look into. It needs a name or an id. */
export interface ResourceInput {
  /** The id of a resource that is stored already; other content makes a new version of it. */
  id?: string | undefined;
  name?: string | undefined;
  description?: string | undefined;
  /** The content, in one of three forms; at most 50 MiB. */
  bytes?: Uint8Array | undefined;
  /** The content in base64. */
  base64?: string | undefined;
  /** The content, if it is a text. */
  text?: string | undefined;
  mimeType?: string | undefined;
  /** Where it comes from. */
  url?: string | undefined;
  tags?: readonly string[] | undefined;
  /** What it is bound to. */
  bindingType?: 'message' | 'agent' | 'swarm' | 'portal' | 'unbound' | 'sdk' | undefined;
  /** Who may use it. @default the orchestrator's */
  sharingScope?: SharingScope | undefined;
  sourceType?: string | undefined;
  /** The agent whose runs those are, for the scope `agent`; for the binding `agent`, the agent. */
  agentId?: string | undefined;
  /** The swarm whose runs those are, for the scope `swarm`; for the binding `swarm`, the swarm. */
  swarmId?: string | undefined;
}

const ResourceShape = {
  id: nonBlank.optional(),
  name: nonBlank.optional(),
  description: z.string().optional(),
  bytes: z.instanceof(Uint8Array).optional(),
  base64: z.string().optional(),
  text: z.string().optional(),
  mimeType: nonBlank.optional(),
  url: nonBlank.optional(),
  tags: z.array(z.string()).readonly().optional(),
  bindingType: z.enum(['message', 'agent', 'swarm', 'portal', 'unbound', 'sdk']).optional(),
  sharingScope: SharingScopeSchema.optional(),
  sourceType: nonBlank.optional(),
  agentId: nonBlank.optional(),
  swarmId: nonBlank.optional(),
} satisfies ShapeOf<ResourceInput>;

export const ResourceInputSchema = z
  .strictObject(ResourceShape)
  .refine(({ id, name }) => id !== undefined || name !== undefined, 'a resource needs a name or an id');

export const ResourceChangesSchema = z
  .strictObject(ResourceShape)
  .pick({
    name: true,
    description: true,
    tags: true,
    sharingScope: true,
    url: true,
    agentId: true,
    swarmId: true,
  })
  .partial();
/** What can be changed of a stored resource without another version of it. */
export type ResourceChanges = Partial<
  Pick<ResourceInput, 'name' | 'description' | 'tags' | 'sharingScope' | 'url' | 'agentId' | 'swarmId'>
>;

/** A resource, or changes of one, on the wire. Content that is empty, too large or no base64 is a `ConfigurationError`. */
export function compileResource(resource: ResourceInput): BoundResource {
  const { id, name, description, bytes, base64, text, url, tags, bindingType, sharingScope, sourceType } =
    resource;
  const hasContent = bytes !== undefined || base64 !== undefined || text !== undefined;
  const file = hasContent ? parseAttachment({ bytes, base64, text, mimeType: resource.mimeType }) : undefined;
  return present({
    resource_id: id,
    name,
    title: name,
    description,
    content_base64: file?.contentBase64,
    mime_type: file?.mimeType ?? resource.mimeType,
    source_url: url,
    tags: tags && [...tags],
    binding_type: bindingType,
    sharing_scope: sharingScope,
    source_type: sourceType,
    agent_id: resource.agentId,
    swarm_id: resource.swarmId,
  });
}
