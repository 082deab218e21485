/** Explains why this Node cannot run the command; undefined when it satisfies the required `>=` version. */
export function explainOldNode(version: string, needed: string): string | undefined {
  const least = needed.replace('>=', '');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined;
  return `Node ${least} or newer is required, got ${version}. Install it, or put it first in PATH.`;
}
