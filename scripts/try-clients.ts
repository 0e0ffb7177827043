import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RegistryUnreachable, run, runNpm } from './try-clients/commands.ts'
import { startDemo } from './try-clients/demo-service.ts'

const ROOT = join(import.meta.dirname, '..')

/** Generates typed clients from the document of a running service, compiles them, and uses them. */
async function tryClients(folder: string): Promise<void> {
  await cp(join(import.meta.dirname, 'try-clients/project'), folder, { recursive: true })
  await using demo = await startDemo(ROOT)
  await writeFile(join(folder, 'openapi.json'), await (await fetch(`${demo.url}/openapi.json`)).text())
  console.log('install: the generators, at pinned versions')
  await runNpm(['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], folder)
  const bin = (name: string) => join(folder, 'node_modules/.bin', name)
  const redocly = join(ROOT, 'node_modules/.bin/redocly')

  console.log('lint: Spectral and Redocly, warnings count as errors')
  await run(bin('spectral'), ['lint', '--fail-severity=warn', 'openapi.json'], folder)
  const linted = await run(redocly, ['lint', 'openapi.json'], folder, { REDOCLY_TELEMETRY: 'off' })
  if (/warning/i.test(linted)) throw new Error(linted)

  console.log('generate: openapi-typescript, @hey-api/openapi-ts, orval (fetch and zod)')
  await run(bin('openapi-typescript'), ['openapi.json', '-o', 'generated/openapi-typescript.ts'], folder)
  await run(bin('openapi-ts'), [], folder)
  await run(bin('orval'), ['--config', 'orval.config.mjs'], folder, { BASE_URL: demo.url })

  console.log('compile: TypeScript, strict')
  await run(bin('tsc'), ['-p', '.'], folder)

  const key = await demo.signUp()
  console.log(await run(process.execPath, ['run.ts', demo.url, key, `${demo.url}/hook`], folder))
}

const folder = await mkdtemp(join(tmpdir(), 'try-clients-'))
try {
  await tryClients(folder)
  console.log('every client works')
} catch (error) {
  console.error(error instanceof RegistryUnreachable ? error.message : error)
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
