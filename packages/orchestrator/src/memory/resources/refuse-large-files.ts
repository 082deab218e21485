import type { SessionRequest } from '@svc/contracts/orchestrator';
import { isJsonObject } from '../../json-object.js';
import { decodedBytes, refuseLargeContent } from './resource-content.js';

/** Refuses a request with a resource or an attachment that is too large. @throws RequestError `RESOURCE_TOO_LARGE` */
export function refuseLargeFiles({ messages, memory_assets_config: assets }: SessionRequest): void {
  const attachments = messages.flatMap(({ additional_kwargs: { attachments: files } }) =>
    Array.isArray(files) ? files : [],
  );
  for (const file of [...attachments, ...(assets?.bound_resources ?? [])]) {
    if (!isJsonObject(file) || typeof file['content_base64'] !== 'string') continue;
    const name = file['name'] ?? file['title'];
    refuseLargeContent(typeof name === 'string' ? name : 'attachment', decodedBytes(file['content_base64']));
  }
}
