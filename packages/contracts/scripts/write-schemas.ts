// Writes the contract as JSON Schema files into `schemas/`. Run it after changing a zod schema: `pnpm run schemas`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';

// Sources import each other as `.js`, but Node runs the `.ts` files directly.
registerHooks({
  resolve(specifier, context, next) {
    const isSource = specifier.startsWith('.') && !context.parentURL?.includes('/node_modules/');
    return next(isSource ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});

const { jsonSchemas } = await import('./json-schemas.ts');
const folder = join(import.meta.dirname, '..', 'schemas');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [name, schema] of Object.entries(jsonSchemas())) {
  writeFileSync(join(folder, name), `${JSON.stringify(schema, null, 2)}\n`);
}
