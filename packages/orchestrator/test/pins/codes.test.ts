import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HTTP_STATUS_BY_CODE } from '../../src/errors.js';
import { MEMORY_OPERATIONS } from '../../src/openapi/memory-operations.js';
import { OPERATIONS } from '../../src/openapi/operations.js';
import { PLANNER_ERROR_CODES } from '../../src/planning/planner-error.js';

const reference = readFileSync(join(import.meta.dirname, '../../../../docs/reference/protocol.md'), 'utf8');

describe('the protocol reference', () => {
  it('lists every error code under its HTTP status', () => {
    const rows = [...reference.matchAll(/^\| (\d{3}) \| (.+) \|$/gm)];
    const listed = rows.flatMap(([, status, codes = '']) =>
      [...codes.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => `${status} ${code}`),
    );
    for (const [code, status] of Object.entries(HTTP_STATUS_BY_CODE))
      expect(listed).toContain(`${status} ${code}`);
  });

  it('lists every planner error code', () => {
    for (const code of PLANNER_ERROR_CODES) expect(reference).toContain(`\`${code}\``);
  });

  it('lists every operation that has no guide of its own', () => {
    for (const { method, path } of OPERATIONS) {
      const written = path.replaceAll(/\{\w*_id\}/g, '{id}');
      const named = new RegExp(`\`${method.toUpperCase()} ${written.replaceAll(/[{}/.]/g, '\\$&')}[?\`]`);
      // Memory, metrics, OpenAPI and the page are described in guides.
      const inGuide = /^\/(metrics|openapi\.json)?$|\/memory/.test(path);
      if (!inGuide) expect(reference, `${method} ${path}`).toMatch(named);
    }
  });
});

it('the errors page lists the codes that only memory uses, and no others, each under its status', () => {
  const errors = readFileSync(join(import.meta.dirname, '../../../../docs/reference/errors.md'), 'utf8');
  const [section = ''] = errors.slice(errors.indexOf('### Memory')).split('\n### MCP');
  const rows = [...section.matchAll(/^\| (\d{3}) \| (.+?) \|/gm)];
  const listed = rows.flatMap(([, status, codes = '']) =>
    [...codes.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => `${status} ${code}`),
  );
  const elsewhere = new Set(
    OPERATIONS.filter(({ path }) => !path.includes('/memory')).flatMap(({ errors: codes = [] }) => codes),
  );
  const ofMemory = new Set(MEMORY_OPERATIONS.flatMap(({ errors: codes = [] }) => codes));
  // A start can be refused with these too.
  for (const code of ['PROJECT_FORBIDDEN', 'RESOURCE_TOO_LARGE'] as const) elsewhere.delete(code);
  const alone = [...ofMemory].filter((code) => !elsewhere.has(code));
  expect(listed.toSorted()).toEqual(alone.map((code) => `${HTTP_STATUS_BY_CODE[code]} ${code}`).toSorted());
});
