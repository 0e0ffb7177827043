import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { recordBackup } from '../../src/store/backup/record.ts'
import { openStore } from '../../src/store/open.ts'
import { emptyPostgres, emptySqlite } from '../store/empty-database.ts'
import { startTestApp, type TestApp, until } from '../support/app.ts'
import { runCommand } from '../support/commands.ts'
import { execute } from '../support/databases/postgres.ts'
import { temporaryFolder } from '../support/folder.ts'

async function lastBackup(app: TestApp): Promise<number> {
  const text = await (await app.get('/metrics', null)).text()
  return Number(/^incident_feed_last_backup_timestamp_seconds (\S+)$/m.exec(text)![1])
}

async function waitForBackupAfter(time: number, app: TestApp): Promise<void> {
  await until(async () => (await lastBackup(app)) * 1000 >= time, 'the metric')
  assert.ok((await lastBackup(app)) * 1000 <= Date.now())
}

describe('the time of the last backup', { timeout: 120_000 }, () => {
  it('is in the metrics of a running service once `backup` has copied its SQLite file, not if it was refused', async () => {
    await using folder = await temporaryFolder()
    const DATABASE_URL = `sqlite:${join(folder.path, 'feed.db')}`
    await using app = await startTestApp({ DATABASE_URL, RATE_LIMIT_ADDRESS: '1000000' })
    assert.equal(await lastBackup(app), 0)
    const refused = await runCommand(['backup', folder.path], { DATABASE_URL })
    assert.equal(refused.code, 1, refused.output)
    assert.equal(await app.store.backups.lastTakenAt(), null)
    const before = Date.now()
    const { code, output } = await runCommand(['backup', join(folder.path, 'copy.db')], { DATABASE_URL })
    assert.deepEqual([code, /could not|not noted/.test(output)], [0, false], output)
    await waitForBackupAfter(before, app)
  })

  for (const [name, newDatabase] of [
    ['SQLite', emptySqlite],
    ['PostgreSQL', emptyPostgres],
  ] as const) {
    it(`is noted by \`backup --record\` on ${name}, and never goes back`, async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      assert.equal(await store.backups.lastTakenAt(), null)
      const before = Date.now()
      const { code, output } = await runCommand(['backup', '--record'], { DATABASE_URL: database.url })
      assert.equal(code, 0, output)
      const noted = (await store.backups.lastTakenAt())!
      assert.ok(noted >= before && noted <= Date.now())
      assert.equal(await recordBackup(database.url, noted - 1), true)
      assert.equal(await store.backups.lastTakenAt(), noted)
      assert.equal(await recordBackup(database.url, noted + 1), true)
      assert.equal(await store.backups.lastTakenAt(), noted + 1)
    })

    it(`is not noted in an older schema of ${name}, which is neither migrated nor harmed`, async () => {
      await using database = await newDatabase()
      await (await openStore(database.url))[Symbol.asyncDispose]()
      if (name === 'SQLite') {
        using file = new DatabaseSync(database.url.slice('sqlite:'.length))
        file.exec('DROP TABLE last_backup')
      } else await execute(database.url, 'DROP TABLE last_backup')
      assert.equal(await recordBackup(database.url, Date.now()), false)
      const { code, output } = await runCommand(['backup', '--record'], { DATABASE_URL: database.url })
      assert.equal(code, 1)
      assert.match(output, /older version, which does not note backups/)
    })
  }

  it('asks for no file and no database that is not there', async () => {
    await using folder = await temporaryFolder()
    const DATABASE_URL = `sqlite:${join(folder.path, 'none.db')}`
    for (const [words, message] of [
      [['backup', '--record', 'copy.db'], /this command takes no file/],
      [['backup', '--record', '--force'], /--record takes no --force/],
      [['backup', '--record'], /There is no database at/],
    ] as const) {
      const { code, output } = await runCommand([...words], { DATABASE_URL })
      assert.notEqual(code, 0)
      assert.match(output, message)
    }
  })
})
