import assert from 'node:assert/strict'
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { BatchRow } from '../../src/desk/importing/prepare-row.ts'
import { RejectedRows } from '../../src/desk/importing/rejected-rows.ts'
import { backUp, restore } from '../../src/store/backup.ts'
import { openStore } from '../../src/store/open.ts'
import { openSealedStore } from '../../src/store/secrets/open-sealed.ts'
import { emptySqlite } from './empty-database.ts'
import { created, NOW } from './fixtures.ts'

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
