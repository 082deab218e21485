/** Variables that every program needs, none of which could be a secret. */
const BASE_NAMES: Readonly<Record<'posix' | 'win32', readonly string[]>> = {
  posix: ['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'],
  win32: [
    'APPDATA',
    'COMSPEC',
    'HOMEDRIVE',
    'HOMEPATH',
    'LOCALAPPDATA',
    'PATH',
    'PATHEXT',
    'PROCESSOR_ARCHITECTURE',
    'PROGRAMFILES',
    'SYSTEMDRIVE',
    'SYSTEMROOT',
    'TEMP',
    'TMP',
    'USERNAME',
    'USERPROFILE',
  ],
};

/** Options for the environment of a child process. */
export interface ChildEnvironmentOptions {
  /** Variables for this server only. */
  env?: Readonly<Record<string, string>> | undefined;
  /** Names of variables of this process to pass on. */
  inheritEnv?: readonly string[] | undefined;
}

/**
 * Builds the environment of a child process from the base variables, those inherited by name, and explicit ones.
 * Nothing else.
 */
export function buildChildEnvironment(
  { env = {}, inheritEnv = [] }: ChildEnvironmentOptions,
  source: { env: Readonly<Record<string, string | undefined>>; platform: NodeJS.Platform },
): Record<string, string> {
  const base = BASE_NAMES[source.platform === 'win32' ? 'win32' : 'posix'];
  const inherited = [...base, ...inheritEnv].flatMap((name) => {
    const value = source.env[name];
    // A value with this prefix is a shell function, which some shells would run.
    return value === undefined || value.startsWith('()') ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(inherited), ...env };
}
