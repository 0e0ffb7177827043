import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'

const CLIENT = join(import.meta.dirname, '../../../client/src/index.ts')

/** Bundles a script for browsers as a user would; it imports the client as `client`. */
export async function bundleForBrowser(script: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'client-bundle-'))
  try {
    await writeFile(join(folder, 'main.js'), script)
    const output = await build({
      configFile: false,
      root: folder,
      logLevel: 'error',
      resolve: { alias: { client: CLIENT } },
      build: {
        write: false,
        target: 'es2022',
        minify: true,
        modulePreload: false,
        rolldownOptions: {
          input: join(folder, 'main.js'),
          preserveEntrySignatures: 'strict',
          output: { codeSplitting: false },
        },
      },
    })
    const [bundle] = Array.isArray(output) ? output : [output]
    if (!bundle || !('output' in bundle)) throw new Error('the bundler watches instead of building')
    const chunk = bundle.output.find((each) => each.type === 'chunk')!
    return chunk.code
  } finally {
    await rm(folder, { recursive: true })
  }
}
