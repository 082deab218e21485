import { Buffer } from 'node:buffer';
import { SharingScopeSchema, type SharingScope } from '@svc/contracts/orchestrator';
import * as z from 'zod';
import { ConfigurationError } from '../config/errors.js';
import { withoutNulls } from '../config/options.js';

/** A file sent with a message. Exactly one of `bytes`, `base64` and `text` contains its content. */
export interface AttachmentInput {
  /** The file name, without directories and cut to 255 characters. @default 'attachment.bin' */
  name?: string | undefined;
  /** The MIME type. @default 'application/octet-stream', or 'text/plain' for text */
  mimeType?: string | undefined;
  /** The content as bytes, 50 MiB at most. */
  bytes?: Uint8Array | undefined;
  /** The content in base64. */
  base64?: string | undefined;
  /** The content as text. */
  text?: string | undefined;
  /** A description for planners and for memory. */
  description?: string | undefined;
  /** Keywords for finding it. */
  tags?: readonly string[] | undefined;
  /** Whose runs may recall it from memory. @default the orchestrator's default */
  sharingScope?: SharingScope | undefined;
  /** The URL that the file comes from. */
  sourceUrl?: string | undefined;
}

/** A validated attachment, with its content in base64. */
export interface Attachment extends Omit<AttachmentInput, 'bytes' | 'base64' | 'text'> {
  readonly name: string;
  readonly mimeType: string;
  readonly contentBase64: string;
}

/** The largest attachment, in bytes. */
export const MAX_ATTACHMENT_BYTES = 50 * 1024 * 1024;

/**
 * The longest file name that is sent, in characters. It is cut after private values are removed: the rest of a cut
 * value would not be recognized.
 */
export const LONGEST_FILE_NAME = 255;

/** Loose, so that an object that describes a file elsewhere is accepted unchanged. */
const InputSchema = z.looseObject({
  name: z.string().optional(),
  mimeType: z.string().optional(),
  bytes: z.instanceof(Uint8Array).optional(),
  base64: z.string().optional(),
  text: z.string().optional(),
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
  sharingScope: SharingScopeSchema.optional(),
  sourceUrl: z.string().optional(),
});

/**
 * Validates an attachment and converts its content to base64.
 *
 * @throws ConfigurationError `CONFIG_INVALID_ATTACHMENT`; it contains nothing of the content.
 */
export function parseAttachment(input: AttachmentInput): Attachment {
  const parsed = InputSchema.safeParse(withoutNulls(input));
  if (!parsed.success) throw invalid(`is invalid: ${z.prettifyError(parsed.error)}`);
  const { bytes, base64, text, name, mimeType, ...rest } = parsed.data;
  if ([bytes, base64, text].filter((content) => content !== undefined).length !== 1) {
    throw invalid('must have exactly one of bytes, base64 and text');
  }
  if (base64 !== undefined && !isBase64(base64)) throw invalid('has invalid base64');
  const content = base64 === undefined ? Buffer.from(bytes ?? text ?? '') : Buffer.from(base64, 'base64');
  if (content.length === 0) throw invalid('must not be empty');
  if (content.length > MAX_ATTACHMENT_BYTES)
    throw invalid(`must not be larger than ${MAX_ATTACHMENT_BYTES} bytes, got ${content.length}`);
  return Object.freeze({
    ...rest,
    name: baseName(name) || 'attachment.bin',
    mimeType: mimeType ?? (text === undefined ? 'application/octet-stream' : 'text/plain'),
    contentBase64: content.toString('base64'),
  });
}

/** Does not match groups of four with one pattern, which would overflow the stack for a large file. */
function isBase64(text: string): boolean {
  return text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.replace(/={1,2}$/, ''));
}

function baseName(name = ''): string {
  return (name.split(/[\\/]/).at(-1) ?? '').trim();
}

function invalid(why: string): ConfigurationError {
  return new ConfigurationError(`An attachment ${why}.`, { code: 'CONFIG_INVALID_ATTACHMENT' });
}
