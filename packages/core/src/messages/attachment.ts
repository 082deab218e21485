import { Buffer } from 'node:buffer';
import { SharingScopeSchema, type SharingScope } from '@svc/contracts/orchestrator';
import * as z from 'zod';
import { ConfigurationError } from '../config/errors.js';
import { withoutNulls } from '../config/options.js';

/** A file sent with a message. Exactly one of `bytes`, `base64` and `text` holds its content. */
export interface AttachmentInput {
  /** A file name; directories are cut off. Of a longer one 255 characters are sent. @default 'attachment.bin' */
  name?: string | undefined;
  /** @default 'application/octet-stream', or 'text/plain' for text */
  mimeType?: string | undefined;
  /** Its content as bytes, 50 MiB at most. */
  bytes?: Uint8Array | undefined;
  /** Its content in base64. */
  base64?: string | undefined;
  /** Its content as text. */
  text?: string | undefined;
  /** What it is, for planners and for memory. */
  description?: string | undefined;
  /** Words to find it by. */
  tags?: readonly string[] | undefined;
  /** Whose runs may recall it from memory. @default as the service has it */
  sharingScope?: SharingScope | undefined;
  /** Where it comes from. */
  sourceUrl?: string | undefined;
}

/** A checked attachment, its content in base64. */
export interface Attachment extends Omit<AttachmentInput, 'bytes' | 'base64' | 'text'> {
  readonly name: string;
  readonly mimeType: string;
  readonly contentBase64: string;
}

/** The largest attachment, in bytes. */
export const MAX_ATTACHMENT_BYTES = 50 * 1024 * 1024;

/** The longest name of a file that is sent, in characters. It is cut when private values are out: of the rest of one nobody would know. */
export const LONGEST_FILE_NAME = 255;

/** Loose, because what describes a file elsewhere may be given as it is. */
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
 * Checks an attachment and brings its content to base64.
 *
 * @throws ConfigurationError `CONFIG_INVALID_ATTACHMENT`, which repeats nothing of the content.
 */
export function parseAttachment(input: AttachmentInput): Attachment {
  const parsed = InputSchema.safeParse(withoutNulls(input));
  if (!parsed.success) throw invalid(`is not valid: ${z.prettifyError(parsed.error)}`);
  const { bytes, base64, text, name, mimeType, ...rest } = parsed.data;
  if ([bytes, base64, text].filter((content) => content !== undefined).length !== 1) {
    throw invalid('needs exactly one of bytes, base64 and text');
  }
  if (base64 !== undefined && !isBase64(base64)) throw invalid('has text in base64 that is no base64');
  const content = base64 === undefined ? Buffer.from(bytes ?? text ?? '') : Buffer.from(base64, 'base64');
  if (content.length === 0) throw invalid('is empty');
  if (content.length > MAX_ATTACHMENT_BYTES) throw invalid(`is larger than ${MAX_ATTACHMENT_BYTES} bytes`);
  return Object.freeze({
    ...rest,
    name: baseName(name) || 'attachment.bin',
    mimeType: mimeType ?? (text === undefined ? 'application/octet-stream' : 'text/plain'),
    contentBase64: content.toString('base64'),
  });
}

/** Not by one pattern of groups of four: a large file would have more of them than the stack can hold. */
function isBase64(text: string): boolean {
  return text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.replace(/={1,2}$/, ''));
}

function baseName(name = ''): string {
  return (name.split(/[\\/]/).at(-1) ?? '').trim();
}

function invalid(why: string): ConfigurationError {
  return new ConfigurationError(`An attachment ${why}.`, { code: 'CONFIG_INVALID_ATTACHMENT' });
}
