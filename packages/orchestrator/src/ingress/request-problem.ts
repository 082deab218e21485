import type * as z from 'zod';
import { cutText } from '../cut-text.js';
import { isJsonObject } from '../json-object.js';

/** What is wrong at one place of a request. */
export interface RequestProblem {
  readonly path: string;
  /** What kind of problem it is. */
  readonly problem: string;
  /** What the value must be. */
  readonly message: string;
}

/** Names of places come from the caller and may be of any length. */
const maxText = 500;

/** A schema's problem with a request. It repeats names and lengths from the request, never values. */
export function requestProblem(issue: z.core.$ZodIssue, request: unknown): RequestProblem {
  const inner = innermost(issue);
  const { path, code, message } = inner;
  const isOfLength = 'origin' in inner && (inner.origin === 'string' || inner.origin === 'array');
  const length = isOfLength ? lengthOf(path.reduce(memberOf, request)) : undefined;
  return {
    path: cutText(path.join('.'), maxText),
    problem: code,
    message: `${cutText(message, maxText)}${length === undefined ? '' : `, got ${length}`}.`,
  };
}

/** Of a union's members, the one that matches deepest is taken to be meant; if several do, all are reported. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return issue;
  const firsts = issue.errors.flatMap(([first]) => first ?? []).map(innermost);
  const depth = Math.max(...firsts.map(({ path }) => path.length));
  const [deepest, ...others] = firsts.filter(({ path }) => path.length === depth);
  if (!deepest) return issue;
  const isSamePath = others.every(({ path }) => path.join('.') === deepest.path.join('.'));
  const messages = [deepest, ...others].map(({ path, message }) =>
    isSamePath ? message : `${path.join('.')}: ${message}`,
  );
  const message = [...new Set(messages)].join(', or: ');
  if (!isSamePath) return { ...issue, message };
  return { ...(others.length === 0 ? deepest : issue), path: [...issue.path, ...deepest.path], message };
}

function memberOf(value: unknown, key: PropertyKey): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isJsonObject(value) ? value[String(key)] : undefined;
}

const lengthOf = (value: unknown): number | undefined =>
  typeof value === 'string' || Array.isArray(value) ? value.length : undefined;
