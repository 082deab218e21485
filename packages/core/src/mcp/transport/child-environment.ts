/** What every program needs to run, and nothing that could be a secret. */
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

/** What a child process gets of the environment. */
export interface ChildEnvironmentOptions {
  /** Variables for this server alone. */
  env?: Readonly<Record<string, string>> | undefined;
  /** Names of variables of this process that the server may have as well. */
  inheritEnv?: readonly string[] | undefined;
}

/** The environment of a child process: the base, what may be inherited by name, and what is given. Nothing else. */
export function buildChildEnvironment(
  { env = {}, inheritEnv = [] }: ChildEnvironmentOptions,
  source: { env: Readonly<Record<string, string | undefined>>; platform: NodeJS.Platform },
): Record<string, string> {
  const base = BASE_NAMES[source.platform === 'win32' ? 'win32' : 'posix'];
  const inherited = [...base, ...inheritEnv].flatMap((name) => {
    const value = source.env[name];
    // A value that begins like this is a shell function, which some shells would run.
    return value === undefined || value.startsWith('()') ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(inherited), ...env };
}
