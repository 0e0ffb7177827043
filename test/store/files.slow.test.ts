import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { copyFile, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { BatchRow } from '../../src/desk/importing/prepare-row.ts'
import { RejectedRows } from '../../src/desk/importing/rejected-rows.ts'
import { backUp, restore } from '../../src/store/backup.ts'
import { openStore } from '../../src/store/open.ts'
import { openSealedStore } from '../../src/store/secrets/open-sealed.ts'
import { damageOf } from '../../src/store/sqlite/database-file.ts'
import { StoreUnusable } from '../../src/store/store.ts'
import fc from '../support/fast-check.ts'
import { type EmptyDatabase, emptyPostgres, emptySqlite } from './databases.ts'
import { created, documentsOf, NOW, wholeLog } from './fixtures.ts'

type SqliteHome = Awaited<ReturnType<typeof emptySqlite>>

describe('a truncated SQLite file', () => {
  it('is detected at any length, and nothing is written to it', async () => {
    await using database = await filled()
    const whole = await readFile(database.path)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), async (size) => {
        await writeFile(database.path, whole.subarray(0, size))
        await refused(database)
        assert.deepEqual(await readFile(database.path), whole.subarray(0, size))
      }),
      { numRuns: 30, examples: [[0], [1], [15], [99], [100], [whole.length - 1]] },
    )
  })

  it('is detected beside the log of a killed process', async () => {
    await using database = await filled()
    await using store = await database.open()
    await store.incidents.save([created(1_000)], NOW)
    const path = join(database.directory, 'killed.db')
    for (const suffix of ['', '-wal']) await copyFile(database.path + suffix, path + suffix)
    assert.equal(damageOf(path), null)
    const { size } = await stat(path)
    await truncate(path, size / 2)
    assert.match(damageOf(path)!, /^is cut off: \d+ of its \d+ pages are missing$/)
  })

  it('is not reported if a process was killed while it copied the log into the file', async () => {
    await using database = await emptySqlite()
    await using store = await database.open()
    await store.incidents.save(
      Array.from({ length: 300 }, (_, number) => created(number)),
      NOW,
    )
    const path = join(database.directory, 'killed.db')
    await copyFile(`${database.path}-wal`, `${path}-wal`)
    using other = new DatabaseSync(database.path)
    other.exec('PRAGMA wal_checkpoint(FULL)')
    await copyFile(database.path, path)
    await truncate(path, (await stat(path)).size / 2)
    assert.equal(damageOf(path), null)
    await using recovered = await openStore(`sqlite:${path}`)
    assert.equal((await recovered.events.after(0, 1000)).length, 300)
  })

  it('is detected if the file is missing and its log is not', async () => {
    await using database = await filled()
    await writeFile(`${database.path}-wal`, await readFile(database.path))
    await rm(database.path)
    await refused(database, /is missing, but/)
  })
})

async function refused(
  database: EmptyDatabase,
  message = /(cut off|0 bytes).*; put a backup in its place/,
): Promise<void> {
  await assert.rejects(database.open(), (error) => {
    assert.ok(error instanceof StoreUnusable)
    assert.match(error.message, message)
    return true
  })
}

async function filled(): Promise<SqliteHome> {
  const database = await emptySqlite()
  await using store = await database.open()
  await store.incidents.save(
    Array.from({ length: 300 }, (_, number) => created(number)),
    NOW,
  )
  return database
}

const modeOf = (path: string) => modeIfThere(path)!

/** Null for a file that has just been removed, as a journal is. */
function modeIfThere(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? null : (found.mode & 0o777).toString(8)
}

function modesIn(folder: string): Record<string, string> {
  const modes = readdirSync(folder).map((name) => [name, modeIfThere(join(folder, name))] as const)
  return Object.fromEntries(modes.filter((entry): entry is [string, string] => entry[1] !== null))
}

describe('files with data, under umask 000', () => {
  let umask: number
  before(() => {
    umask = process.umask(0)
  })
  after(() => process.umask(umask))

  it('the database, its log and its key are for their owner only, and so is their folder', async () => {
    await using database = await emptySqlite()
    await using store = await openSealedStore(database.url, { secretKeys: null })
    await store.incidents.save([created(1)], NOW)
    const folder = join(database.path, '..')
    assert.deepEqual(modesIn(folder), {
      'feed.db': '600',
      'feed.db-shm': '600',
      'feed.db-wal': '600',
      'feed.db.secrets-key': '600',
    })
    assert.deepEqual([modeOf(folder), modeOf(join(folder, '../..'))], ['700', '700'])
  })

  it('so are a backup, from its first byte on, and a restored database', async () => {
    await using database = await emptySqlite()
    const folder = join(database.path, '..')
    {
      await using store = await database.open()
      await store.incidents.save([created(1)], NOW)
    }
    const seen = new Set<string>()
    const watching = setInterval(() => {
      for (const [name, mode] of Object.entries(modesIn(folder))) if (name.includes('.part')) seen.add(mode)
    }, 0)
    const backup = join(folder, 'backup.db')
    await backUp(database.url, backup, false)
    clearInterval(watching)
    assert.deepEqual(
      [...seen].filter((mode) => mode !== '600'),
      [],
    )
    assert.equal(modeOf(backup), '600')
    chmodSync(backup, 0o644)
    chmodSync(database.path, 0o644)
    await restore(database.url, backup, true, NOW)
    const modes = modesIn(folder)
    delete modes['backup.db']
    assert.deepEqual([...new Set(Object.values(modes))], ['600'])
    assert.equal(Object.keys(modes).length, 2, 'the database and the one that it replaced')
  })

  it('so are the rejected rows of an import', async () => {
    await using database = await emptySqlite()
    const path = join(database.directory, 'rejected.ndjson')
    await using rows = await RejectedRows.begin(path)
    await rows.addRows([{ row: 1, text: 'x', prepared: { kind: 'rejected', reason: 'no type' } } as BatchRow])
    assert.equal(modeOf(path), '600')
  })

  it('an existing database that others could read is tightened, with a warning', async () => {
    await using database = await emptySqlite()
    await (await database.open())[Symbol.asyncDispose]()
    chmodSync(database.path, 0o644)
    const warnings: string[] = []
    await using _store = await openStore(database.url, { onWarning: (message) => warnings.push(message) })
    assert.equal(modeOf(database.path), '600')
    assert.deepEqual(warnings, [`${database.path} could be read by other users (mode 0644); it no longer can`])
  })
})

const WRITER = fileURLToPath(new URL('./endless-writer.ts', import.meta.url))

describe('a process that is killed while it writes', () => {
  for (const [name, newDatabase] of [
    ['SQLite', emptySqlite],
    ['PostgreSQL', emptyPostgres],
  ] as const) {
    it(`leaves all committed saves and no partial one, on ${name}`, async () => {
      await using database: EmptyDatabase = await newDatabase()
      const writer = spawn(process.execPath, [WRITER, database.url], { stdio: ['ignore', 'pipe', 'inherit'] })
      const exit = once(writer, 'exit')
      let committed = 0
      for await (const line of createInterface(writer.stdout)) {
        committed = Number(line)
        if (committed === 40) writer.kill('SIGKILL')
      }
      await exit
      await using store = await database.open()
      const log = await wholeLog(store)
      assert(log.length >= committed && committed >= 40)
      assert.equal(log.length % 2, 0, 'each save wrote two')
      assert.deepEqual(
        log.map((event) => event.seq),
        log.map((_, index) => index + 1),
      )
      const documents = await documentsOf(await store.incidents.snapshot())
      assert.deepEqual(
        documents,
        log.map((event) => event.document),
      )
    })
  }
})
