import * as z from 'zod';
import { RequestError } from '../../errors.js';
import { isJsonObject, textOf } from '../../json-object.js';
import type { MemoryAsset } from '../records/memory-asset.js';
import { bindingOf, contentOf, type ResourceBody } from './resource-body.js';
import { BindingTypeSchema, type ResourceDraft } from './resources.js';

/**
 * The next version of a resource: absent fields keep their values.
 *
 * @throws RequestError `INVALID_REQUEST` without bytes, or for another scope or binding
 */
export function replacementOf(known: MemoryAsset, body: ResourceBody): ResourceDraft {
  const { binding_type, source_type, agent_id, swarm_id, metadata } = known.value;
  refuseMove(known, body);
  const name = body.name ?? body.title ?? String(known.value['name']);
  const content = contentOf(name, { ...body, mime_type: body.mime_type ?? String(known.value['format']) });
  if (!content) {
    throw new RequestError('To replace a resource, send content_base64 or text_content.', {
      code: 'INVALID_REQUEST',
    });
  }
  return {
    owner: known,
    resourceId: known.lineage,
    name,
    content,
    description: body.description ?? textOf(known.value['description']),
    tags: body.tags ?? z.array(z.string()).parse(known.value['tags']),
    bindingType: BindingTypeSchema.parse(binding_type),
    targetId: textOf(agent_id) ?? textOf(swarm_id),
    sourceType: body.source_type ?? String(source_type),
    sourceUrl: body.source_url ?? textOf(known.value['source_url']),
    metadata: body.metadata ?? (isJsonObject(metadata) ? metadata : undefined),
    isRetained: known.isRetained,
  };
}

/** Refuses another scope or binding, which new bytes do not change. */
function refuseMove({ value, reach, ownerId }: MemoryAsset, body: ResourceBody): void {
  const { binding_type } = value;
  // An id says something only if the resource belongs to, or is bound to, that kind of owner.
  const keeps = (kind: 'agent' | 'swarm') =>
    (reach !== kind && binding_type !== kind) ||
    [body[`${kind}_id`], body[`bound_${kind}_id`]].every(
      (id) => id == null || id === ownerId || id === value[`${kind}_id`],
    );
  const isKept =
    (body.sharing_scope ?? reach) === reach &&
    (bindingOf(body) ?? binding_type) === binding_type &&
    keeps('agent') &&
    keeps('swarm');
  if (isKept) return;
  throw new RequestError(
    'New content keeps the scope and the binding of a resource; change them with PATCH and /bind.',
    { code: 'INVALID_REQUEST', details: { sharing_scope: reach, binding_type: binding_type ?? null } },
  );
}
