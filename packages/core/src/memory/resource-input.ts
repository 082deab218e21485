import { SharingScopeSchema, type BoundResource, type SharingScope } from '@svc/contracts/orchestrator';
import * as z from 'zod';
import type { ShapeOf } from '../config/options.js';
import { parseAttachment } from '../messages/attachment.js';
import { present } from '../present.js';

const nonBlank = z.string().trim().min(1);

/** A resource: a file or a URL that runs may read. It must have a name or an id. */
export interface ResourceInput {
  /** The id of a stored resource; different content creates a new version of it. */
  id?: string | undefined;
  name?: string | undefined;
  description?: string | undefined;
  /** The content as bytes. Set at most one of `bytes`, `base64` and `text`, with 50 MiB at most. */
  bytes?: Uint8Array | undefined;
  /** The content in base64. */
  base64?: string | undefined;
  /** The content as text. */
  text?: string | undefined;
  mimeType?: string | undefined;
  /** The URL that the resource comes from. */
  url?: string | undefined;
  tags?: readonly string[] | undefined;
  /** The kind of owner that the resource is bound to. */
  bindingType?: 'message' | 'agent' | 'swarm' | 'portal' | 'unbound' | 'sdk' | undefined;
  /** Whose runs may use it. @default the orchestrator's default */
  sharingScope?: SharingScope | undefined;
  sourceType?: string | undefined;
  /** The id of the agent, for the scope or the binding `agent`. */
  agentId?: string | undefined;
  /** The id of the swarm, for the scope or the binding `swarm`. */
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
  .refine(({ id, name }) => id !== undefined || name !== undefined, 'a resource must have a name or an id');

export const ResourceChangesSchema = z.strictObject(ResourceShape).pick({
  name: true,
  description: true,
  tags: true,
  sharingScope: true,
  url: true,
  agentId: true,
  swarmId: true,
});
/** Changes of a stored resource that do not create a new version. */
export type ResourceChanges = Partial<
  Pick<ResourceInput, 'name' | 'description' | 'tags' | 'sharingScope' | 'url' | 'agentId' | 'swarmId'>
>;

/**
 * Compiles a resource, or changes of one, for the wire.
 *
 * @throws ConfigurationError for content that is empty, too large or invalid base64.
 */
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
