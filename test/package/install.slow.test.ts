import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { temporaryFolder } from '../support/folder.ts'
import { checkDemo } from './check-demo.ts'
import { installPackage, NPX, runDemo } from './installed-package.ts'

const ROOT = join(import.meta.dirname, '../..')

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
  const installed = join(place, 'installed')
  try {
    mkdirSync(home)
    mkdirSync(join(place, 'bin'))
    copyFileSync(process.execPath, join(place, 'bin/node'))
    execFileSync('cp', ['-r', folder.path, installed])
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
  await promisify(execFile)(process.execPath, ['scripts/package/build-binary.ts', place.path], { cwd: ROOT })
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
