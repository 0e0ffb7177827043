import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { openStore } from '../../src/store/open.ts'
import { RESTORE_GAP } from '../../src/store/shared/restore-gap.ts'
import { created, NOW } from '../store/fixtures.ts'
import { withWatches } from '../store/watch-fixtures.ts'
import { until } from '../support/app.ts'
import { runCommand } from '../support/commands.ts'
import { whyNoPgDump } from '../support/databases/dump-postgres.ts'
import { execute, testDatabase } from '../support/databases/postgres.ts'
import { temporaryFolder } from '../support/folder.ts'

const run = promisify(execFile)
const AWAY = 'postgres://me:se%20cret@db.example:5433/the%20feed'

describe('on PostgreSQL', { timeout: 120_000 }, () => {
  it('a backup names the pg_dump command, without the password, and exits with 3', async () => {
    const { code, output } = await runCommand(['backup', "it's.dump"], { DATABASE_URL: AWAY })
    assert.equal(code, 3)
    assert.match(
      output,
      /^\(umask 077; pg_dump --format=custom --exclude-table-data=sessions --exclude-table-data=sign_in_links --exclude-table-data=challenges --exclude-table-data=tips --exclude-table-data=tip_submissions --host=db\.example --port=5433 --username=me '--dbname=the feed' '--file=it'\\''s\.dump'\)\nincident-feed backup --record$/m,
    )
    assert.doesNotMatch(output, /cret/)
  })

  it('a backup with several servers names them all and requires the primary', async () => {
    const several = AWAY.replace('db.example:5433', 'one.example:5433,two.example')
    const { code, output } = await runCommand(['backup', 'feed.dump'], { DATABASE_URL: several })
    assert.equal(code, 3)
    assert.match(
      output,
      /^\(umask 077; PGTARGETSESSIONATTRS=read-write pg_dump --format=custom --exclude-table-data=sessions --exclude-table-data=sign_in_links --exclude-table-data=challenges --exclude-table-data=tips --exclude-table-data=tip_submissions --host=one\.example,two\.example --port=5433,5432 /m,
    )
    assert.doesNotMatch(output, /cret/)
  })

  it('a restore names the pg_restore command and the command that follows it, and exits with 3', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'feed.dump')
    await writeFile(file, 'PGDMP and so on')
    for (const [force, clean] of [
      [[], ''],
      [['--force'], '--clean --if-exists '],
    ] as const) {
      const { code, output } = await runCommand(['restore', file, ...force], { DATABASE_URL: AWAY })
      assert.equal(code, 3)
      const safeOptions = '--single-transaction --exit-on-error --no-owner --no-privileges'
      const command = `pg_restore ${safeOptions} ${clean}--host=db.example --port=5433 --username=me '--dbname=the feed' ${file}`
      assert.ok(output.includes(`${command}\nincident-feed skip-ahead\n`), output)
      assert.doesNotMatch(output, /cret/)
    }
  })

  it('a file that pg_dump did not write, or that already exists, is refused', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'note.txt')
    await writeFile(file, 'note')
    for (const [words, message] of [
      [['restore', file], /note\.txt was not written by pg_dump --format=custom/],
      [['restore', `${file}.none`], /There is no file/],
      [['backup', file], /already exists/],
    ] as const) {
      const { code, output } = await runCommand(words, { DATABASE_URL: AWAY })
      assert.equal(code, 1)
      assert.match(output, message)
    }
  })

  it('skip-ahead refuses a store in use, and works on the primary of several servers', async () => {
    await using database = await testDatabase()
    const several = database.url.replace('@', '@127.0.0.1:1,')
    {
      await using store = await openStore(database.url)
      await store.incidents.save([created(1)], NOW)
      let listening = false
      store.events.onAppend(() => {
        listening = true
      })
      await until(() => listening, 'the listening connection')
      // An idle node keeps only the connection on which it listens.
      await execute(
        database.url,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'incident-feed'`,
      )
      for (const url of [database.url, several]) {
        const { code, output } = await runCommand(['skip-ahead'], { DATABASE_URL: url })
        assert.equal(code, 1)
        assert.match(output, /A service is using the database/)
      }
    }
    const { code, output } = await runCommand(['skip-ahead'], { DATABASE_URL: several })
    assert.equal(code, 0, output)
    assert.match(output, new RegExp(`The next event will be ${1 + RESTORE_GAP + 1}\\.`))
  })

  it('the named commands dump and restore every row, and a service continues from them', async (context) => {
    await using database = await testDatabase()
    const missing = await toolsMissing(database.url)
    if (missing !== null) return context.skip(missing)
    await using elsewhere = await testDatabase('empty')
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'feed.dump')
    {
      await using store = await openStore(database.url)
      await withWatches(store, 2)
      for (const number of [1, 2, 3]) await store.incidents.save([created(number)], NOW)
      await runNamedCommand(['backup', file], database.url)
    }
    await runNamedCommand(['restore', file], elsewhere.url)
    const tables = await execute(database.url, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)
    assert.ok(tables.length > 10)
    for (const { tablename } of tables) {
      const rows = `SELECT * FROM ${tablename} AS row ORDER BY row::text`
      assert.deepEqual(await execute(elsewhere.url, rows), await execute(database.url, rows), String(tablename))
    }
    assert.equal((await runCommand(['skip-ahead'], { DATABASE_URL: elsewhere.url })).code, 0)
    await using store = await openStore(elsewhere.url)
    assert.equal((await store.incidents.save([created(4)], NOW))[0]?.seq, 3 + RESTORE_GAP + 1)
  })
})

/** Runs the pg_ command that `incident-feed` names. */
async function runNamedCommand(words: readonly string[], databaseUrl: string): Promise<void> {
  const { output } = await runCommand(words, { DATABASE_URL: databaseUrl })
  const command = output.split('\n').find((line) => line.startsWith('pg_'))!
  const password = decodeURIComponent(new URL(databaseUrl).password)
  await run('sh', ['-c', command], { env: { ...process.env, PGPASSWORD: password } })
}

async function toolsMissing(databaseUrl: string): Promise<string | null> {
  const reason = await whyNoPgDump(databaseUrl)
  return reason === null ? null : `${reason}: only what the commands say was tested`
}
