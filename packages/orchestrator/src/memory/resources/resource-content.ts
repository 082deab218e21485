import { createHash } from 'node:crypto';
import { RequestError } from '../../errors.js';

/** Maximum decoded bytes of one resource. */
export const MAX_RESOURCE_BYTES = 50 * 1024 * 1024;

/** The bytes of a resource, with their hash and type. */
export interface ResourceContent {
  readonly bytes: Uint8Array;
  readonly hash: string;
  readonly mimeType: string;
}

/** The digits of base64, without line breaks and padding. */
function digitsOf(contentBase64: string): string {
  const text = /[\r\n]/.test(contentBase64) ? contentBase64.replaceAll(/[\r\n]+/g, '') : contentBase64;
  return text.endsWith('==') ? text.slice(0, -2) : text.endsWith('=') ? text.slice(0, -1) : text;
}

/** The decoded size of base64 text, without decoding it. */
export function decodedBytes(contentBase64: string): number {
  return Math.floor((digitsOf(contentBase64).length * 3) / 4);
}

/** Refuses content larger than a resource may be. @throws RequestError `RESOURCE_TOO_LARGE` */
export function refuseLargeContent(name: string, sizeBytes: number): void {
  if (sizeBytes <= MAX_RESOURCE_BYTES) return;
  const details = { name, size_bytes: sizeBytes, max_bytes: MAX_RESOURCE_BYTES };
  const message = `A resource must have at most ${MAX_RESOURCE_BYTES} bytes, got ${sizeBytes} for "${name}". Split it.`;
  throw new RequestError(message, { code: 'RESOURCE_TOO_LARGE', details });
}

/**
 * Reads content sent as base64 or as text; undefined when both are absent or empty.
 * @throws RequestError `RESOURCE_TOO_LARGE`, `INVALID_REQUEST` if it is not base64
 */
export function readContent({
  name,
  contentBase64,
  textContent,
  mimeType,
}: {
  name: string;
  contentBase64?: string | undefined;
  textContent?: string | undefined;
  mimeType?: string | undefined;
}): ResourceContent | undefined {
  const bytes = bytesOf(name, contentBase64, textContent);
  if (!bytes || bytes.byteLength === 0) return undefined;
  const fallback = contentBase64 ? 'application/octet-stream' : 'text/plain';
  return { bytes, hash: hashOf(bytes), mimeType: (mimeType || fallback).toLowerCase() };
}

/** SHA-256, in hex. */
export function hashOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

function bytesOf(name: string, contentBase64?: string, textContent?: string): Uint8Array | undefined {
  if (!contentBase64) {
    if (!textContent) return undefined;
    const bytes = Buffer.from(textContent);
    refuseLargeContent(name, bytes.byteLength);
    return bytes;
  }
  refuseLargeContent(name, decodedBytes(contentBase64));
  const digits = digitsOf(contentBase64);
  const bytes = Buffer.from(digits, 'base64');
  // The decoder skips characters that are not digits, so bytes are missing then.
  if (digits.length % 4 !== 1 && bytes.byteLength === Math.floor((digits.length * 3) / 4)) return bytes;
  throw new RequestError(`The content of "${name}" is not valid base64.`, {
    code: 'INVALID_REQUEST',
    details: { name },
  });
}
