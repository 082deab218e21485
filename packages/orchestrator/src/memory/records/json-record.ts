import type { JsonObject } from '@svc/contracts';
import * as z from 'zod';

/** An object from a JSON body, so everything in it is JSON. */
export const JsonRecordSchema = z.record(z.string(), z.unknown()).transform((value) => value as JsonObject);
