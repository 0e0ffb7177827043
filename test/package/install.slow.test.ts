import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { until } from '../support/app.ts'
import { temporaryFolder } from '../support/folder.ts'
import { requireSlowTier } from '../support/tier.ts'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const NPX = ['npx', '--no-install', 'incident-feed']

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let files: readonly string[]
before(
  async () => {
    folder = await temporaryFolder()
    files = await installPackage(folder.path)
  },
  // npm may have to fetch every dependency.
  { timeout: 600_000 },
)
after(() => folder?.[Symbol.asyncDispose]())

test('the package has what runs, and neither sources nor tests', () => {
  for (const name of [
    ...['bin/incident-feed.js', 'dist/main.js', 'dist/main.js.map', 'dist/geo/data/lgas.json', 'CHANGELOG.md'],
    ...['dist/store/sqlite/migrations/0001-ground.sql', 'web/dist/.vite/manifest.json', 'docs/guides/start.md'],
    ...['dist/geo/data/ATTRIBUTION.md', 'dist/pages/preview/fonts/OFL.txt', 'LICENSE'],
  ])
    assert.ok(files.includes(name), `${name} is missing`)
  const unwanted = files.filter((name) =>
    /\.tsx?$|^(src|test|bench|resilience|scripts|client|web\/(?!dist))\b/.test(name),
  )
  assert.deepEqual(unwanted, [])
})

test('npx incident-feed --demo serves incidents and the map, from the package in an empty folder', async () => {
  await using demo = await runDemo(NPX, folder.path)
  await checkDemo(demo)
})

test('the same runs as another user who may not write where it is installed', async (context) => {
  if (process.getuid?.() !== 0) return context.skip('only root can become another user')
  // Somewhere that user can go, with a Node that they may run.
  const place = mkdtempSync('/var/tmp/incident-feed-')
  const home = join(place, 'home')
  const installed = folder.path
  try {
    mkdirSync(home)
    mkdirSync(join(place, 'bin'))
    copyFileSync(process.execPath, join(place, 'bin/node'))
    execFileSync('chmod', ['-R', 'a+rX,a-w', installed])
    execFileSync('chmod', ['a+rx', place])
    execFileSync('chown', ['nobody', home])
    const asNobody = ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups']
    const PATH = `${join(place, 'bin')}:${process.env.PATH}`
    const writing = spawnSync(asNobody[0]!, [...asNobody.slice(1), 'touch', join(installed, 'x')])
    assert.notEqual(writing.status, 0, 'the user may write there')
    await using demo = await runDemo([...asNobody, ...NPX], installed, { PATH, HOME: home })
    await checkDemo(demo)
  } finally {
    execFileSync('rm', ['-rf', place])
  }
})

test('an old Node gets a sentence', async () => {
  const pretend = join(folder.path, 'pretend.cjs')
  await writeFile(
    pretend,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })`,
  )
  const bin = join(folder.path, 'node_modules/incident-feed/bin/incident-feed.js')
  const { status, stderr } = spawnSync(process.execPath, ['--require', pretend, bin], { encoding: 'utf8' })
  assert.equal(status, 1)
  assert.match(
    stderr,
    /^incident-feed: Node 24 or later is needed, and \S+ is Node 18\.20\.4\. Install a newer one .*\n$/,
  )
})

test('preparing without development dependencies says that the pages are not built, and does not fail', async () => {
  await using clone = await temporaryFolder()
  const script = join(clone.path, 'scripts/package/prepare.js')
  mkdirSync(dirname(script), { recursive: true })
  copyFileSync(join(ROOT, 'scripts/package/prepare.js'), script)
  await writeFile(join(clone.path, 'package.json'), '{"type":"module"}')
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  assert.equal(status, 0)
  assert.match(stderr, /^incident-feed: the pages are not built.*\n$/)
})

// In this file, because both write dist, and the tests of one file run one after another.
test('the single executable serves incidents and the map, and says where it cannot unpack', {
  timeout: 600_000,
  skip: process.env.TEST_BINARY ? false : 'building it takes a minute or two: TEST_BINARY=1 runs this test',
}, async () => {
  await using place = await temporaryFolder()
  await run(process.execPath, ['scripts/package/build-binary.ts', place.path], { cwd: ROOT })
  const executable = join(place.path, 'incident-feed')
  {
    await using demo = await runDemo([executable], place.path, { XDG_CACHE_HOME: join(place.path, 'cache') })
    await checkDemo(demo)
  }
  const env = { XDG_CACHE_HOME: '/dev/null/nowhere' }
  const { status, stderr } = spawnSync(executable, ['keys', 'generate'], { env, encoding: 'utf8' })
  assert.equal(status, 1)
  assert.match(
    stderr,
    /^incident-feed: the service cannot be unpacked into \/dev\/null\/nowhere\S* \(ENOTDIR\)\. Set XDG_CACHE_HOME .*\n$/,
  )
})

/** Asks for what every part of an installation does: incidents, pages with their files, threads. */
async function checkDemo({ url, shown, key }: RunningDemo): Promise<void> {
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(new URL(path, url), { headers })
    assert.equal(response.status, 200, path)
    return response
  }
  const authorized = { authorization: `Bearer ${key}` }
  // The command that the demo prints, and all incidents.
  await get(shown, authorized)
  const { data } = (await (await get('/v1/incidents', authorized)).json()) as { data: { summary: string }[] }
  assert.equal(data.length, 50)
  assert.ok(data.every(({ summary }) => summary.startsWith('[Synthetic] ')))

  const page = await (await get('/')).text()
  const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!)
  assert.ok(assets.length > 2, 'the page names its scripts and styles')
  const scripts = await Promise.all(assets.map(async (path) => (await get(path)).text()))
  const worker = /\/assets\/maplibre-gl-worker-[\w-]+\.mjs/.exec(scripts.join())?.[0]
  assert.ok(worker, 'a script names the worker of the map')
  assert.match((await get(worker)).headers.get('content-type')!, /^text\/javascript/)
  await get('/docs/start')

  // Each of these is done by a worker thread.
  const preview = /property="og:image" content="([^"]+)"/.exec(page)![1]!.replaceAll('&amp;', '&')
  assert.equal((await get(preview)).headers.get('content-type'), 'image/png')
  await until(
    async () => /source_polls_total\{[^}]*\} [1-9]/.test(await (await get('/metrics')).text()),
    'a poll of the news feed',
  )
}

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
async function installPackage(folder: string): Promise<readonly string[]> {
  requireSlowTier('npm')
  const env = environment()
  // The test run has built the pages, and this the rest: npm only has to pack.
  await run(process.execPath, ['scripts/package/build.ts'], { cwd: ROOT, env })
  const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await run('npm', packing, { cwd: ROOT, env, maxBuffer: 16 << 20 })
  const [packed] = Object.values(JSON.parse(stdout)) as [{ filename: string; files: { path: string }[] }]
  copyDependencies(folder)
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

/**
 * npm takes what it finds in `folder` if it is what the package needs, and removes the rest: with
 * every file taken out of its cache it would need twice as long.
 */
function copyDependencies(folder: string): void {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; link?: boolean }>
  }
  const isOutermost = (path: string) => path.lastIndexOf('node_modules/') === 0
  const paths = Object.entries(lock.packages).flatMap(([path, { dev, link }]) =>
    isOutermost(path) && dev !== true && link !== true && existsSync(join(ROOT, path)) ? [path] : [],
  )
  execFileSync('cp', ['--archive', '--parents', ...paths, folder], { cwd: ROOT })
}

interface RunningDemo extends AsyncDisposable {
  readonly url: string
  /** The path of the request that the demo prints. */
  readonly shown: string
  readonly key: string
}

/** Runs the command with `--demo`, until it is disposed of. */
async function runDemo(start: readonly string[], cwd: string, extra: NodeJS.ProcessEnv = {}): Promise<RunningDemo> {
  const [command = '', ...args] = [...start, '--demo', '--port', '0']
  const child = spawn(command, args, {
    cwd,
    env: { ...environment(), METRICS_PUBLIC: 'true', ...extra },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const sample = () => /curl '(http:\/\/[^/]+)([^']+)' -H 'Authorization: Bearer ([^']+)'/.exec(output)
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
  const [, url, shown, key] = sample() ?? []
  if (url === undefined || shown === undefined || key === undefined)
    throw new Error(`the demo did not start:\n${output}`)
  return {
    url,
    shown,
    key,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
      assert.doesNotMatch(output, /\n {4}at |DOMException/)
    },
  }
}
