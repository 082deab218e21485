/** What is told of a value that JSON cannot carry. */
export const NO_JSON = 'cannot be written as JSON: it holds a BigInt, or refers to itself';

/** Whether JSON can carry a value: there is no BigInt in it and no reference to itself, and JSON has a form for it. */
export function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    // That it throws is how JSON says no.
    return false;
  }
}
