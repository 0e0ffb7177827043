import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { requireSlowTier } from '../support/tier.ts'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/**
 * npm itself may run on an older Node; what it starts gets the one that runs the tests. Where the
 * way to the registry has certificates of its own, npm would try for ten minutes without them.
 */
function environment(): NodeJS.ProcessEnv {
  const { PATH, HOME, NODE_EXTRA_CA_CERTS } = process.env
  const certificates = NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS }
  return { PATH: `${dirname(process.execPath)}:${PATH}`, HOME, npm_config_update_notifier: 'false', ...certificates }
}

/** Packs the project and installs the tarball into `folder`. Returns the files of the tarball. */
export async function installPackage(folder: string): Promise<readonly string[]> {
  requireSlowTier('npm')
  const env = environment()
  // The test run has built the pages, and this the rest: npm only has to pack.
  await run(process.execPath, ['scripts/package/build.ts'], { cwd: ROOT, env })
  const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await run('npm', packing, { cwd: ROOT, env, maxBuffer: 16 << 20 })
  const [packed] = Object.values(JSON.parse(stdout)) as [{ filename: string; files: { path: string }[] }]
  // Without --prefix, npm would install into a parent folder that has a node_modules.
  const installing = [
    'install',
    '--prefix',
    folder,
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    `./${packed.filename}`,
  ]
  await run('npm', installing, { cwd: folder, env })
  return packed.files.map(({ path }) => path)
}

export interface RunningDemo extends AsyncDisposable {
  readonly url: string
  readonly key: string
}

export const NPX = ['npx', '--no-install', 'incident-feed']

/** Runs the command with `--demo`, until it is disposed of. */
export async function runDemo(
  start: readonly string[],
  cwd: string,
  extra: NodeJS.ProcessEnv = {},
): Promise<RunningDemo> {
  const [command = '', ...args] = [...start, '--demo', '--port', '0']
  const child = spawn(command, args, { cwd, env: { ...environment(), ...extra }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const sample = () => /curl '(http:\/\/[^/]+)\S+ -H 'Authorization: Bearer ([^']+)'/.exec(output)
  const ended = once(child, 'close')
  // Unpacking and starting take long on a busy machine; the timeout of the test bounds them.
  const started = Promise.withResolvers<void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
      if (sample() !== null) started.resolve()
    })
  }
  await Promise.race([started.promise, ended])
  const [, url, key] = sample() ?? []
  if (url === undefined || key === undefined) throw new Error(`the demo did not start:\n${output}`)
  return {
    url,
    key,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
