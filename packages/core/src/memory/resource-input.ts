import type { BoundResource } from '@svc/contracts/orchestrator';
import * as z from 'zod';
import { parseAttachment } from '../messages/attachment.js';
import { present } from '../present.js';

const nonBlank = z.string().trim().min(1);

const ResourceShape = {
  /** The id of a resource that is stored already; other content makes a new version of it. */
  id: nonBlank.optional(),
  name: nonBlank.optional(),
  description: z.string().optional(),
  /** The content, in one of three forms; at most 50 MiB. */
  bytes: z.instanceof(Uint8Array).optional(),
  base64: z.string().optional(),
  text: z.string().optional(),
  mimeType: nonBlank.optional(),
  /** Where it comes from. */
  url: nonBlank.optional(),
  tags: z.array(z.string()).readonly().optional(),
  /** What it is bound to. */
  bindingType: z.enum(['message', 'agent', 'swarm', 'portal', 'unbound', 'sdk']).optional(),
  /** Who may use it. @default the orchestrator's */
  sharingScope: z.enum(['agent', 'swarm', 'project', 'org']).optional(),
  sourceType: nonBlank.optional(),
  agentId: nonBlank.optional(),
  swarmId: nonBlank.optional(),
};

export const ResourceInputSchema = z
  .strictObject(ResourceShape)
  .refine(({ id, name }) => id !== undefined || name !== undefined, 'a resource needs a name or an id');
/** A resource: a file or an address that runs may look into. */
export type ResourceInput = z.input<typeof ResourceInputSchema>;

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
export type ResourceChanges = z.input<typeof ResourceChangesSchema>;

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
