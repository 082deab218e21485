/** Names people use for file types, and the extension they mean. */
export const languageExtensions: Readonly<Record<string, string>> = {
  typescript: 'ts',
  javascript: 'js',
  markdown: 'md',
  python: 'py',
  ruby: 'rb',
  golang: 'go',
  rust: 'rs',
  kotlin: 'kt',
  swift: 'swift',
  stylesheet: 'css',
  stylesheets: 'css',
  html: 'html',
  css: 'css',
  json: 'json',
  yaml: 'yaml',
  toml: 'toml',
  xml: 'xml',
  csv: 'csv',
  'shell scripts': 'sh',
  sql: 'sql',
};

/** Files that people call by a bare name, and the name they have by convention. */
export const wellKnownFiles: Readonly<Record<string, string>> = {
  README: 'README.md',
  Readme: 'README.md',
  readme: 'README.md',
  CHANGELOG: 'CHANGELOG.md',
  changelog: 'CHANGELOG.md',
  CONTRIBUTING: 'CONTRIBUTING.md',
  ARCHITECTURE: 'ARCHITECTURE.md',
  SECURITY: 'SECURITY.md',
  LICENSE: 'LICENSE',
  Dockerfile: 'Dockerfile',
  Makefile: 'Makefile',
};

/** Folders that people name without a slash. */
export const wellKnownFolders: readonly string[] = [
  'src',
  'docs',
  'doc',
  'tests',
  'test',
  'lib',
  'packages',
  'apps',
  'scripts',
  'bin',
  'examples',
  'example',
  'bench',
  'benchmarks',
  'tooling',
  'public',
  'assets',
  'dist',
  'config',
  'data',
  'include',
  'tools',
  'website',
  'fixtures',
];

/** Words that stand for a file type right before "files". */
export const extensionWords: ReadonlySet<string> = new Set(
  (
    'ts tsx js jsx mjs cjs md mdx json yml yaml toml css scss html htm xml csv txt py rb go rs java kt c h cpp cs ' +
    'php sh sql svg png jpg pdf log lock'
  ).split(' '),
);
