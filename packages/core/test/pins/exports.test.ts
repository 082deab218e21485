import { isSdkError, MaivnSDKError } from '@svc/contracts/sdk-error';
import { describe, expect, it } from 'vitest';
import * as core from '../../src/index.js';
import * as messages from '../../src/messages.js';
import { createEmptyResponse } from '../../src/session/invoke-response.js';
import * as testing from '../../src/testing.js';

describe('as specified, the package exports', () => {
  it.each([
    'Agent',
    'Swarm',
    'Client',
    'ClientBuilder',
    'ConfigurationBuilder',
    'BaseScope',
    'MCPServer',
    'MCPAutoSetup',
    'ToolOverride',
  ])('the class %s', (name) => {
    expect(Reflect.get(core, name)).toHaveProperty('prototype');
  });

  it.each([
    'toolify',
    'toolset',
    'toolOutput',
    'dependsOnTool',
    'dependsOnAgent',
    'dependsOnPrivateData',
    'dependsOnInterrupt',
    'dependsOnAwaitFor',
    'dependsOnReevaluate',
    'requiresProducerReference',
  ])('the decorator %s', (name) => {
    expect(core).toHaveProperty(name, expect.any(Function));
  });

  it.each(['MaivnSDKError', 'MaivnHTTPError', 'ConfigurationError'])('the exception %s', (name) => {
    expect(core).toHaveProperty(name, expect.any(Function));
  });

  it.each([
    'PermissionFlag',
    'PermissionSet',
    'requirePermissions',
    'ClientConfig',
    'VERSION',
    'configureLogging',
    'getLogger',
    'getInterruptService',
    'setInterruptService',
    'RunFailedError',
    'MissingCredentialError',
    'PIIWhitelist',
  ])('%s', (name) => {
    expect(core).toHaveProperty(name);
  });

  it.each(['HumanMessage', 'AIMessage', 'SystemMessage', 'RedactedMessage', 'PrivateData'])(
    'the message %s',
    (name) => {
      expect(messages).toHaveProperty(name, expect.any(Function));
    },
  );
});

it('every exported error is an SDK error', () => {
  const errors = [
    new core.ConfigurationError('x', { code: 'X' }),
    new core.MaivnHTTPError('x', { statusCode: 401, reason: 'Unauthorized' }),
    new core.MissingCredentialError('x'),
    new core.PlanLimitExceededError('x', { statusCode: 429, reason: 'Too Many Requests' }),
    new core.RunFailedError('x', {
      code: 'X',
      response: createEmptyResponse('failed', { code: '', message: '' }),
    }),
    new core.ToolError('x', { code: 'X' }),
  ];
  const exported = Object.keys(core).filter(
    (name) => /^[A-Z]\w*Error$/.test(name) && name !== 'MaivnSDKError',
  );
  expect(errors.map(({ name }) => name)).toEqual(exported.toSorted());
  for (const error of errors) expect(isSdkError(error)).toBe(true);
  expect(core.MaivnSDKError).toBe(MaivnSDKError);
});

it('the package exports no other names', () => {
  expect(Object.keys(core).toSorted()).toEqual([
    'Agent',
    'BaseScope',
    'Client',
    'ClientBuilder',
    'ClientConfig',
    'Configuration',
    'ConfigurationBuilder',
    'ConfigurationError',
    'MCPAutoSetup',
    'MCPServer',
    'MaivnHTTPError',
    'MaivnSDKError',
    'MissingCredentialError',
    'PIIWhitelist',
    'PermissionFlag',
    'PermissionSet',
    'PlanLimitExceededError',
    'RunFailedError',
    'Swarm',
    'ToolError',
    'ToolOverride',
    'VERSION',
    'configureLogging',
    'dependsOnAgent',
    'dependsOnAwaitFor',
    'dependsOnInterrupt',
    'dependsOnPrivateData',
    'dependsOnReevaluate',
    'dependsOnTool',
    'fileReceiptStore',
    'getInterruptService',
    'getLogger',
    'isSdkError',
    'memoryReceiptStore',
    'requirePermissions',
    'requiresProducerReference',
    'setInterruptService',
    'toolOutput',
    'toolify',
    'toolset',
  ]);
  expect(Object.keys(messages).toSorted()).toEqual([
    'AIMessage',
    'HumanMessage',
    'PrivateData',
    'RedactedMessage',
    'SystemMessage',
  ]);
  expect(Object.keys(testing).toSorted()).toEqual(['SCRIPTED_API_KEY', 'startScriptedOrchestrator']);
});

it('VERSION is the version of the package', async () => {
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });
  expect(core.VERSION).toBe(manifest.version);
});
