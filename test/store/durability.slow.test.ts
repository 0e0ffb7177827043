import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type EmptyDatabase, emptyPostgres, emptySqlite } from './empty-database.ts'
import { documentsOf, wholeLog } from './fixtures.ts'

const WRITER = fileURLToPath(new URL('./endless-writer.ts', import.meta.url))

describe('a process that is killed while it writes', { timeout: 60_000 }, () => {
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
