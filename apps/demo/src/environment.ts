import { resolve } from 'node:path';

/** The demo's settings, read from its environment. */
export interface DemoEnvironment {
  /** Address to bind, `HOST`. @default '127.0.0.1' */
  host: string;
  /** Port to bind, `PORT`; 0 selects a free one. @default 3000 */
  port: number;
  /** The folder the agent answers questions about, `SVC_DEMO_ROOT`. @default this repository */
  root: string;
  /** The one folder reports are written to, `SVC_DEMO_REPORTS`. @default `reports` in the folder */
  reportsFolder: string;
}

/** A setting of the demo is invalid; the message names it and says how to fix it. */
export class DemoSettingError extends Error {
  override readonly name = 'DemoSettingError';
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new DemoSettingError(`PORT must be an integer from 0 to 65535, got "${text}".`);
  return port;
}

/** Reads the demo's settings; blank means unset. Throws `DemoSettingError` for an invalid port. */
export function readEnvironment(variables: NodeJS.ProcessEnv, defaultRoot: string): DemoEnvironment {
  const read = (name: string, fallback: string) => variables[name]?.trim() || fallback;
  const root = resolve(read('SVC_DEMO_ROOT', defaultRoot));
  return {
    host: read('HOST', '127.0.0.1'),
    port: readPort(read('PORT', '3000')),
    root,
    reportsFolder: resolve(root, read('SVC_DEMO_REPORTS', 'reports')),
  };
}
