import { build } from 'esbuild';

/** Returns the packages that the code of an entry imports, statically (`atOnce`) and dynamically (`later`). */
export async function packageImports(entryPoint: string): Promise<{ atOnce: string[]; later: string[] }> {
  const { metafile } = await build({
    entryPoints: [entryPoint],
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  const of = (kind: string) => [
    ...new Set(imports.filter((one) => one.kind === kind).map(({ path }) => path)),
  ];
  return { atOnce: of('import-statement'), later: of('dynamic-import') };
}
