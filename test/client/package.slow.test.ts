import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { startTestApp, type TestApp } from '../support/app.ts'
import { anIncident, incidentId } from '../support/incident.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
/** The machine's own Node, beside the runtime of the project. */
const OTHER_NODE = process.env.OTHER_NODE ?? nodesInPath().find(existsSync) ?? 'nowhere'

function nodesInPath(): string[] {
  const folders = process.env.PATH!.split(':').filter((folder) => !folder.includes('node_modules'))
  return folders.map((folder) => join(folder, 'node')).filter((node) => node !== process.execPath)
}

let app: TestApp
let project: string
let files: string[]

before(async () => {
  app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  await app.publish([1, 2, 3].map((number) => anIncident(number)))
  project = await mkdtemp(join(tmpdir(), 'client-project-'))
  await writeFile(join(project, 'package.json'), '{ "name": "empty", "private": true }')
  const { stdout } = await run('npm', ['pack', './client', '--json', '--pack-destination', project], { cwd: ROOT })
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string; files: { path: string }[] }]
  files = packed.files.map(({ path }) => path)
  const options = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', ['install', ...options, join(project, packed.filename)], { cwd: project })
})
after(async () => {
  await app[Symbol.asyncDispose]()
  await rm(project, { recursive: true })
})

test('the package has what it runs with, its types and its texts, and nothing else', () => {
  assert.ok(['dist/src/index.js', 'dist/src/index.d.ts', 'README.md', 'LICENSE'].every((name) => files.includes(name)))
  assert.deepEqual(
    files.filter((name) => !/^(dist\/.*\.(js|d\.ts)|README\.md|LICENSE|package\.json)$/.test(name)),
    [],
  )
})

const PROGRAM = `
import { IncidentFeed, ProblemError, signTestMessage, unwrap } from 'incident-feed-client'
import { fetchHandler } from 'incident-feed-client/handlers'
const [key, baseUrl] = process.argv.slice(2)
const feed = new IncidentFeed({ key, baseUrl })
const listed = []
for await (const { id } of feed.incidents.list({ state: ['Kaduna'], limit: 2 })) listed.push(id)
const problem = await feed.incidents.page({ state: 'Kadunna' }).catch((error) => error)
const streamed = []
for await (const { seq } of feed.stream({}, { after: 1 }))
  if (streamed.push(seq) === 2) break
const changes = []
for await (const { seq } of feed.changes({ after: 0 })) changes.push(seq)
const watch = await feed.watches.create({ name: 'Mine', url: 'http://127.0.0.1:9999/hook', filter: { state: ['Kaduna'] } })
const message = await signTestMessage({ event: 'incident.retracted' }, watch.secret)
const handled = []
const handler = fetchHandler(watch.secret, ({ event }) => handled.push(event))
const answer = await handler(new Request('http://localhost/', { method: 'POST', ...message }))
await unwrap(message, watch.secret)
await feed.watches.delete(watch.id)
console.log(JSON.stringify({ listed, streamed, changes, handled, status: answer.status, suggestions: problem.suggestions, isProblem: problem instanceof ProblemError }))
`

for (const [name, node] of [
  ['the runtime of the project', process.execPath],
  ['the other Node', OTHER_NODE],
] as const) {
  test(`an empty project that installs the package can use it: ${name}`, async (context) => {
    const version = await run(node, ['--version']).then(
      ({ stdout }) => stdout.trim(),
      () => null,
    )
    if (version === null) return context.skip(`there is no Node at ${node}; set OTHER_NODE to one of version 20`)
    context.diagnostic(`Node ${version}`)
    await writeFile(join(project, 'program.mjs'), PROGRAM)
    const { text: key } = await app.issue()
    const { stdout, stderr } = await run(node, ['program.mjs', key, app.url], { cwd: project })
    assert.equal(stderr, '')
    assert.deepEqual(JSON.parse(stdout), {
      listed: [3, 2, 1].map(incidentId),
      streamed: [2, 3],
      changes: [1, 2, 3],
      handled: ['incident.retracted'],
      status: 204,
      suggestions: ['Kaduna'],
      isProblem: true,
    })
  })
}

const TYPED = `
import { IncidentFeed, type FeedChange, type Incident, type Position, unwrap } from 'incident-feed-client'
import { expressHandler } from 'incident-feed-client/handlers'
const feed = new IncidentFeed({ key: 'inf_live_', baseUrl: 'http://localhost' })
export async function names(): Promise<string[]> {
  const found: string[] = []
  for await (const { state, lga } of feed.incidents.list({ type: 'kidnapping', limit: 10, min_confidence: 0.5 })) found.push(state + (lga ?? ''))
  return found
}
export async function of(request: Request): Promise<Incident | null> {
  const message = await unwrap(request, ['whsec_'])
  return message.event === 'incident.retracted' ? null : message.incident
}
export const change = (each: FeedChange): Position => each.position
feed.stream({}, { after: 8123 })
export const handler = expressHandler('whsec_', ({ incident }) => console.log(incident.id))
// @ts-expect-error: not a type of incident
feed.incidents.list({ type: 'kidnaping' })
// @ts-expect-error: a number
feed.incidents.page({ limit: '10' })
`

/** The samples of the guide and of the package's own page, each a module. */
function samples(): string[] {
  const pages = ['docs/guides/sdk.md', 'client/README.md'].map((file) => readFileSync(join(ROOT, file), 'utf8'))
  return pages.flatMap((page) => [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!))
}

const AMBIENT = `declare global { const process: { env: Record<string, string | undefined> } }
export {}
`

test('the samples of the guide are of right types', async () => {
  const all = samples()
  assert.ok(all.length >= 8)
  const files = await Promise.all(
    [AMBIENT, ...all].map(async (code, index) => {
      await writeFile(join(project, `sample-${index}.mts`), code)
      return `sample-${index}.mts`
    }),
  )
  assert.equal(await typeErrorsIn(files, 'nodenext'), '')
})

test('the first sample of the guide prints the incidents', async () => {
  await app.publish([anIncident(4, { published_at: new Date().toISOString() })])
  await writeFile(join(project, 'first.mjs'), samples()[0]!.replace('http://localhost:8080', app.url))
  const env = { ...process.env, KEY: (await app.issue()).text }
  const { stdout } = await run(process.execPath, ['first.mjs'], { cwd: project, env })
  assert.match(stdout, /kidnapping Chikun Gunmen abducted eleven people/)
})

async function typeErrorsIn(files: readonly string[], resolution: string): Promise<string> {
  const module = resolution === 'bundler' ? 'esnext' : 'nodenext'
  const compilerOptions = { strict: true, noEmit: true, target: 'es2022', lib: ['es2023', 'dom'], types: [] }
  const settings = { compilerOptions: { ...compilerOptions, module, moduleResolution: resolution }, files }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(settings))
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  const { stdout } = await run(tsc, ['-p', '.'], { cwd: project }).catch((error: { stdout: string }) => error)
  return stdout
}

for (const resolution of ['nodenext', 'bundler']) {
  test(`its types hold in a strict project that resolves like ${resolution}`, async () => {
    await writeFile(join(project, 'typed.mts'), TYPED)
    assert.equal(await typeErrorsIn(['typed.mts'], resolution), '')
  })
}
