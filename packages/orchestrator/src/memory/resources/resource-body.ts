import { SharingScopeSchema } from '@svc/contracts/orchestrator';
import * as z from 'zod';
import { RequestError } from '../../errors.js';
import { StorableText } from '../../storable-text.js';
import { JsonRecordSchema } from '../records/json-record.js';
import { RecordId } from '../records/record-id.js';
import { readContent } from './resource-content.js';
import { BindingTypeSchema, type BindingType } from './resources.js';

const id = StorableText.min(1).max(256);

/** The fields of a resource's body; others are ignored. */
export const ResourceBodySchema = z.object({
  id: RecordId.nullish(),
  resource_id: RecordId.nullish(),
  name: z.string().trim().min(1).max(256).nullish(),
  title: z.string().trim().min(1).max(256).nullish(),
  description: z.string().max(20_000).nullish(),
  tags: z.array(z.string().min(1).max(100)).max(50).nullish(),
  mime_type: z.string().max(128).nullish(),
  content_base64: z.string().nullish(),
  text_content: z.string().nullish(),
  sharing_scope: SharingScopeSchema.nullish(),
  binding_type: BindingTypeSchema.nullish(),
  agent_id: id.nullish(),
  swarm_id: id.nullish(),
  bound_agent_id: id.nullish(),
  bound_swarm_id: id.nullish(),
  source_type: z.string().max(64).nullish(),
  source_url: z.string().max(2_048).nullish(),
  metadata: JsonRecordSchema.nullish(),
});
export type ResourceBody = z.output<typeof ResourceBodySchema>;

/** The name of a new resource. @throws RequestError `INVALID_REQUEST` when it has none */
export function nameOf({ name, title, resource_id }: ResourceBody): string {
  const label = name ?? title ?? resource_id;
  if (label) return label;
  throw new RequestError('A resource needs a name.', { code: 'INVALID_REQUEST' });
}

/**
 * What a body binds a resource to: what it states, otherwise what it names. @throws RequestError `INVALID_REQUEST` when
 * it names two
 */
export function bindingOf({
  binding_type,
  bound_agent_id,
  bound_swarm_id,
}: ResourceBody): BindingType | undefined {
  if (binding_type != null) return binding_type;
  if (bound_agent_id == null) return bound_swarm_id == null ? undefined : 'swarm';
  if (bound_swarm_id == null) return 'agent';
  throw new RequestError(
    'A resource can be bound to only one of them; send bound_agent_id or bound_swarm_id, or set binding_type.',
    { code: 'INVALID_REQUEST' },
  );
}

/** The bytes in a body, if any. @throws RequestError when they cannot be decoded or are too many */
export function contentOf(name: string, { content_base64, text_content, mime_type }: ResourceBody) {
  return readContent({
    name,
    contentBase64: content_base64 ?? undefined,
    textContent: text_content ?? undefined,
    mimeType: mime_type ?? undefined,
  });
}
