import { SharingScopeSchema, type BoundResource } from '@svc/contracts/orchestrator';
import * as z from 'zod';
import { cutText } from '../../cut-text.js';
import { RequestError } from '../../errors.js';
import type { MemorySubject } from './memory-subject.js';
import { ownerOf } from '../records/memory-viewer.js';
import { RecordId } from '../records/record-id.js';
import { readContent } from '../resources/resource-content.js';
import {
  BindingTypeSchema,
  defaultScope,
  type BindingType,
  type ResourceDraft,
} from '../resources/resources.js';

const bindingOf = (name: string | null | undefined) =>
  BindingTypeSchema.options.find((each) => each === name);
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const tagList = z.array(z.string().min(1).max(100)).max(50);

type SentResource = BoundResource | MemorySubject['attachments'][number];

/** The draft of a resource bound to a run's agent or swarm; undefined when it cannot be stored as it is. */
export function boundDraft(resource: BoundResource, subject: MemorySubject): ResourceDraft | undefined {
  const name = resource.title ?? resource.name ?? resource.resource_id ?? undefined;
  const known = bindingOf(resource.binding_type);
  const { agentId, swarmId } = subject.viewer;
  // `sdk` and unknown types are bound to the run's agent or swarm.
  const bindingType = known ?? (agentId ? 'agent' : swarmId ? 'swarm' : 'unbound');
  const sourceType =
    text(resource['source_type']) ?? (bindingType === 'swarm' ? 'swarm_binding' : 'agent_binding');
  return draftOf(resource, { subject, name, bindingType, sourceType, isRetained: false });
}

/** The draft of a file attached to a message; undefined when it cannot be stored as it is. */
export function attachmentDraft(
  file: MemorySubject['attachments'][number],
  subject: MemorySubject,
): ResourceDraft | undefined {
  const bindingType = bindingOf(file.binding_type) ?? 'message';
  return draftOf(file, {
    subject,
    name: file.name,
    bindingType,
    sourceType: file.source_type ?? 'attachment',
    isRetained: true,
  });
}

function draftOf(
  resource: SentResource,
  options: {
    subject: MemorySubject;
    name: string | undefined;
    bindingType: BindingType;
    sourceType: string;
    isRetained: boolean;
  },
): ResourceDraft | undefined {
  const { subject, name, bindingType, sourceType, isRetained } = options;
  const { viewer, sessionId } = subject;
  const scope = SharingScopeSchema.safeParse(resource['sharing_scope']);
  // An attached file belongs to the agent it was sent to, unless it says otherwise.
  const narrow = isRetained && viewer.agentId ? 'agent' : isRetained && viewer.swarmId ? 'swarm' : undefined;
  const owner = ownerOf(scope.success ? scope.data : (narrow ?? defaultScope(bindingType)), viewer);
  if (!owner || name === undefined) return undefined;
  const resourceId = text(resource['resource_id']) ?? text(resource['id']);
  if (resourceId !== undefined && !RecordId.safeParse(resourceId).success) return undefined;
  const content = contentOf(name, resource);
  const sourceUrl = resource.source_url ?? text(resource['url']);
  if (!content && !sourceUrl) return undefined;
  const tags = tagList.safeParse(resource.tags);
  return {
    owner,
    resourceId,
    name: cutText(name, 256),
    content,
    description: resource.description == null ? undefined : cutText(resource.description, 20_000),
    tags: tags.success ? tags.data : [],
    bindingType,
    targetId: bindingType === 'swarm' ? viewer.swarmId : viewer.agentId,
    sourceType,
    sourceUrl,
    sessionId,
    isRetained,
  };
}

/** Unreadable content is left out and counted as skipped. */
function contentOf(name: string, resource: SentResource) {
  try {
    return readContent({
      name,
      contentBase64: resource.content_base64 ?? undefined,
      textContent: text(resource['text_content']),
      mimeType: resource.mime_type ?? undefined,
    });
  } catch (error) {
    if (error instanceof RequestError) return undefined;
    throw error;
  }
}
