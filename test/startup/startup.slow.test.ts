import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { proxyTo } from '../store/databases.ts'
import { startTestApp } from '../support/app.ts'
import { testDatabase } from '../support/databases/postgres.ts'
import { temporaryFolder } from '../support/folder.ts'
import { requireSlowTier } from '../support/tier.ts'

test('stopping ends while the database does not answer', async () => {
  await using database = await testDatabase()
  await using proxy = await proxyTo(database.url)
  const app = await startTestApp(
    { DATABASE_URL: proxy.url },
    { stopping: { requestsMs: 50, webhooksMs: 50, restMs: 50 } },
  )
  const { text } = await app.issue()
  await app.get('/v1/me', text)
  proxy.partition()
  // Waits for the database until the stop closes the connection.
  const waiting = app.post('/v1/keys', { name: 'Late' }, text).catch(() => null)
  await app[Symbol.asyncDispose]()
  assert.equal(await waiting, null)
  proxy.heal()
})

const MODULE = new URL('../../src/startup/compiled-code.ts', import.meta.url).href

/**
 * Calls it in a process of its own, in which it then loads another module; returns what it has
 * said.
 */
function keepIn(config: object, environment: NodeJS.ProcessEnv = {}): unknown {
  requireSlowTier('another process')
  const program = `
    const { keepCompiledCode } = await import(${JSON.stringify(MODULE)})
    console.log(JSON.stringify(keepCompiledCode(${JSON.stringify({ DEMO: false, CACHE_DIR: null, ...config })})))
    await import(${JSON.stringify(new URL('../../src/domain/taxonomy.ts', import.meta.url).href)})`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], { env: environment })
  return JSON.parse(output.toString())
}

test('compiled code is kept beside the database, or in CACHE_DIR, for one build alone', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'data/feed.db')
  assert.equal(keepIn({ DATABASE_URL: `sqlite:${file}` }), null)
  const kept = `${file}.compiled`
  assert.equal(statSync(kept).mode & 0o777, 0o700)
  const [name, ...others] = readdirSync(kept)
  assert.deepEqual(others, [])
  assert.ok(readdirSync(join(kept, name!), { recursive: true }).length > 1)
  mkdirSync(join(kept, 'of-an-earlier-build'))
  assert.equal(keepIn({ DATABASE_URL: `sqlite:${file}` }), null)
  assert.deepEqual(readdirSync(kept), [name])
  assert.equal(keepIn({ DATABASE_URL: `sqlite:${file}`, CACHE_DIR: 'none' }), null)
  assert.equal(existsSync(kept), false, 'CACHE_DIR=none deletes it')
  const CACHE_DIR = join(folder.path, 'cache')
  assert.equal(keepIn({ DATABASE_URL: 'postgres://user@host/name', CACHE_DIR }), null)
  assert.deepEqual(readdirSync(join(CACHE_DIR, 'compiled')), [name])
})

test('no compiled code is kept for a demo, in memory, with CACHE_DIR=none, or if the operator has chosen a folder of Node', async () => {
  await using folder = await temporaryFolder()
  const DATABASE_URL = `sqlite:${join(folder.path, 'feed.db')}`
  for (const config of [
    { DATABASE_URL, DEMO: true },
    { DATABASE_URL: 'sqlite::memory:' },
    { DATABASE_URL, CACHE_DIR: 'none' },
    { DATABASE_URL: 'postgres://user@host/name' },
  ])
    assert.equal(keepIn(config), null)
  assert.equal(keepIn({ DATABASE_URL }, { NODE_COMPILE_CACHE: join(folder.path, 'chosen') }), null)
  assert.deepEqual(readdirSync(folder.path), ['chosen'])
})

test('a folder that others could write to, or replace, is not used for compiled code', async () => {
  await using folder = await temporaryFolder()
  const data = join(folder.path, 'data')
  const DATABASE_URL = `sqlite:${join(data, 'feed.db')}`
  const kept = join(data, 'feed.db.compiled')
  mkdirSync(data)
  for (const [shared, mode] of [
    [data, 0o775],
    [data, 0o757],
    [kept, 0o770],
    [kept, 0o1707],
  ] as const) {
    mkdirSync(kept, { recursive: true, mode: 0o700 })
    chmodSync(shared, mode)
    assert.equal(keepIn({ DATABASE_URL }), `others could write to ${shared}`)
    assert.deepEqual(readdirSync(kept), [])
    chmodSync(shared, 0o700)
  }
  // As in /tmp: others can add names, but not take this one.
  chmodSync(data, 0o1777)
  assert.equal(keepIn({ DATABASE_URL }), null)
})

test('without a folder for compiled code the service goes on, and says why', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'feed.db')
  writeFileSync(`${file}.compiled`, 'not a folder')
  assert.match(String(keepIn({ DATABASE_URL: `sqlite:${file}` })), /EEXIST|ENOTDIR/)
  assert.ok(existsSync(`${file}.compiled`))
})
