import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const manifestOf = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../packages/${name}/package.json`), 'utf8'));

it('@svc/core has zod as a peer dependency only, so that a project has one zod', () => {
  const manifest = manifestOf('core');
  expect(manifest).toMatchObject({ peerDependencies: { zod: expect.any(String) } });
  expect(manifest).not.toHaveProperty('dependencies.zod');
});

// OpenTelemetry's SDK 2 refuses 1.10, and a newer copy of the API beside the SDK's records nothing.
it.each(['core', 'orchestrator'])(
  "@svc/%s accepts the @opentelemetry/api of OpenTelemetry's SDK 2",
  (name) => {
    expect(manifestOf(name)).toMatchObject({
      dependencies: { '@opentelemetry/api': expect.stringMatching(/^\^1\.[3-9]\.0$/) },
    });
  },
);
