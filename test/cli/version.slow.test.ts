import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { Database } from '../../src/store/sqlite/database.ts'
import { MIGRATIONS, migrate } from '../../src/store/sqlite/migrate.ts'
import { startTestApp, until } from '../support/app.ts'
import { endCommands, runCommand, startCommand } from '../support/commands.ts'
import { testDatabase } from '../support/databases/postgres.ts'
import { TEST_SECRETS_KEY } from '../support/databases/stores.ts'
import { temporaryFolder } from '../support/folder.ts'

after(endCommands)

const ROOT = join(import.meta.dirname, '../..')
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
const schema = readdirSync(join(ROOT, 'src/store/postgres/migrations')).length

test('version, commit and schema are printed, in /healthz and in the metrics', async () => {
  for (const words of [['--version'], ['keys', '--version']])
    assert.deepEqual(await runCommand(words), {
      code: 0,
      output: `incident-feed ${version} (commit ${commit}, schema ${schema})\n`,
    })
  await using app = await startTestApp()
  const health = await (await fetch(`${app.url}/healthz`)).json()
  assert.deepEqual(health, { status: 'ok', version, commit, schema })
  const metrics = await (await app.get('/metrics', null)).text()
  const labels = `version="${version}",commit="${commit}",schema="${schema}",node="${process.version}"`
  assert.ok(metrics.includes(`incident_feed_build_info{${labels}} 1`), metrics.slice(0, 2000))
})

/** The lines about migrations that a start in a pipe logs. */
async function migrationsLoggedWith(DATABASE_URL: string): Promise<unknown[]> {
  const { child, ended, output } = startCommand(['--port', '0'], { DATABASE_URL, SECRETS_KEY: TEST_SECRETS_KEY })
  await until(() => /"msg":"ready"/.test(output()) || child.exitCode !== null, 'the start')
  child.kill('SIGTERM')
  await ended
  const lines = output()
    .split('\n')
    .filter((line) => line.includes('of the database') || line.includes('migrating'))
  return lines.map((line) => {
    const { from, to, names, msg } = JSON.parse(line) as Record<string, unknown>
    return { from, to, names, msg }
  })
}

const made = { from: 0, to: schema, names: undefined, msg: 'creating the tables of the database' }

test('a start logs from which version to which it migrates, and by what; the next one nothing', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'feed.db')
  assert.deepEqual(await migrationsLoggedWith(`sqlite:${path}`), [made])
  assert.deepEqual(await migrationsLoggedWith(`sqlite:${path}`), [])
  const older = join(folder.path, 'older.db')
  {
    using database = new Database(new DatabaseSync(older))
    migrate(database, MIGRATIONS.slice(0, -2))
  }
  const names = MIGRATIONS.slice(-2).map(({ name }) => name)
  assert.deepEqual(await migrationsLoggedWith(`sqlite:${older}`), [
    { from: schema - 2, to: schema, names, msg: 'migrating the database' },
  ])
  await using postgres = await testDatabase('empty')
  assert.deepEqual(await migrationsLoggedWith(postgres.url), [made])
})

test('of two nodes, one is the leader of the fan-out, and another after it has stopped', async () => {
  await using database = await testDatabase()
  await using one = await startTestApp({ DATABASE_URL: database.url })
  const other = await startTestApp({ DATABASE_URL: database.url })
  const apps = [one, other]
  const leaders = async () => {
    const texts = await Promise.all(apps.map(async (app) => (await app.get('/metrics', null)).text()))
    return texts.map((text) => Number(/^incident_feed_fan_out_leader (\d)$/m.exec(text)![1]))
  }
  try {
    await until(async () => (await leaders()).join() === '1,0' || (await leaders()).join() === '0,1', 'one leader')
  } finally {
    await other[Symbol.asyncDispose]()
  }
  apps.pop()
  await until(async () => (await leaders()).join() === '1', 'the other to lead')
})
