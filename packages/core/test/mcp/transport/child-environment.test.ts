import { expect, it } from 'vitest';
import {
  buildChildEnvironment,
  type ChildEnvironmentOptions,
} from '../../../src/mcp/transport/child-environment.js';

const env = {
  PATH: '/bin',
  HOME: '/root',
  AWS_SECRET_ACCESS_KEY: 'x',
  SVC_API_KEY: 'y',
  GITHUB_TOKEN: 'z',
  TERM: '() { evil; }',
};

it.each<[ChildEnvironmentOptions, Record<string, string>]>([
  [{}, { PATH: '/bin', HOME: '/root' }],
  [{ inheritEnv: ['GITHUB_TOKEN', 'NOT_THERE'] }, { PATH: '/bin', HOME: '/root', GITHUB_TOKEN: 'z' }],
  [{ env: { PATH: '/opt', KEY: 'k' } }, { PATH: '/opt', HOME: '/root', KEY: 'k' }],
])('with the options %j a child process receives %j', (options, expected) => {
  expect(buildChildEnvironment(options, { env, platform: 'linux' })).toEqual(expected);
});

it('a child process receives the variables that every program needs on Windows', () => {
  const windows = { SYSTEMROOT: 'C:\\Windows', PATHEXT: '.EXE', SECRET: 'x' };
  expect(buildChildEnvironment({}, { env: windows, platform: 'win32' })).toEqual({
    SYSTEMROOT: 'C:\\Windows',
    PATHEXT: '.EXE',
  });
});
