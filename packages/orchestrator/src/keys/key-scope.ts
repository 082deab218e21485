import { MaivnSDKError } from '@svc/contracts/sdk-error';
import * as z from 'zod';
import { StorableText } from '../storable-text.js';
import { withoutNulls } from '../without-nulls.js';
import { KEY_OPERATIONS, knownOperations, type KeyOperation } from './key-operation.js';
import { refuseUnsendableKey } from './key-token.js';

/** The project of a key, and what the key permits. */
export interface KeyScope {
  /** The project that its runs and memory belong to. */
  readonly project: string;
  /** The organization whose memory policy applies. @default none */
  readonly organization?: string | undefined;
  /** The operations it is limited to. @default all */
  readonly operations?: readonly KeyOperation[] | undefined;
}

/** A key passed in the options instead of created by `orchestrator.keys`; it is never stored. */
export interface FixedKey extends KeyScope {
  /** The key itself, as clients send it. */
  readonly key: string;
}

/** A parsed scope; absent fields may also be `undefined`. */
export type ReadScope = z.output<typeof ScopeSchema>;

// eslint-disable-next-line no-control-regex -- names appear in single lines of lists, logs and metrics
const controlCharacter = /[\u0000-\u001f\u007f]/;

/** The maximum length of a name. Names are part of memory URLs. */
export const MAX_NAME_LENGTH = 200;

const isName = (text: string): boolean =>
  text.trim() !== '' && !controlCharacter.test(text) && text.length <= MAX_NAME_LENGTH;

/**
 * The name of a project or an organization. `.` and `..` are refused, because URLs treat them as steps, however they
 * are encoded.
 */
export const ScopeName = StorableText.refine((text) => isName(text) && text !== '.' && text !== '..', {
  error: `must be a non-blank name of at most ${MAX_NAME_LENGTH} characters without control characters, and not . or ..`,
});
const ScopeSchema = z.strictObject({
  project: ScopeName,
  organization: ScopeName.optional(),
  operations: z.array(z.enum(KEY_OPERATIONS)).min(1).transform(knownOperations).optional(),
});
const FixedKeySchema = ScopeSchema.extend({ key: z.string() });

/**
 * Reads the scope for a new key, each operation once. @throws MaivnSDKError `CONFIG_INVALID_OPTION` naming an invalid
 * field
 */
export function readScope(scope: KeyScope): KeyScope {
  return keyScope(parse(ScopeSchema, scope));
}

/**
 * Reads a key of the options.
 * @throws MaivnSDKError `CONFIG_INVALID_OPTION` naming an invalid field, and `CONFIG_INVALID_API_KEY` for a key that no
 * client can send; the error never contains the key
 */
export function readFixedKey(fixedKey: FixedKey): FixedKey {
  const { key, ...scope } = parse(FixedKeySchema, fixedKey);
  refuseUnsendableKey(key, scope.project);
  return { key, ...keyScope(scope) };
}

/**
 * Reads the keys of the options. No two may be the same, because a key belongs to one project.
 * @throws MaivnSDKError as `readFixedKey`, and `CONFIG_INVALID_OPTION` for a duplicate key
 */
export function readFixedKeys(fixedKeys: readonly FixedKey[]): FixedKey[] {
  const keys = fixedKeys.map(readFixedKey);
  const duplicate = keys.findIndex(({ key }, place) => keys.findIndex((each) => each.key === key) < place);
  if (duplicate === -1) return keys;
  const first = keys.findIndex(({ key }) => key === keys[duplicate]?.key);
  throw new MaivnSDKError(
    `\`keys\` contains the same key at ${first} and at ${duplicate}, but a key belongs to one project. List it once, with all its operations.`,
    { code: 'CONFIG_INVALID_OPTION', details: { option: 'keys' } },
  );
}

/** A scope without absent fields, as it is stored and shown. */
export function keyScope({ project, organization, operations }: ReadScope): KeyScope {
  return {
    project,
    ...(organization === undefined ? {} : { organization }),
    ...(operations === undefined ? {} : { operations }),
  };
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(withoutNulls(value));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const option = issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : String(issue?.path[0] ?? '');
  // The value is not repeated, because it may contain the key.
  throw new MaivnSDKError(
    `A key ${option === '' ? 'must be an object with a project' : `has an invalid \`${option}\``}. Pass a project and, optionally, an organization, each one line of at most ${MAX_NAME_LENGTH} characters and not . or .., and operations among ${KEY_OPERATIONS.join(', ')} (default: all).`,
    { code: 'CONFIG_INVALID_OPTION', details: { option } },
  );
}
