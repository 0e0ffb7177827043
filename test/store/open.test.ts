import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { openStore } from '../../src/store/open.ts'

describe('opening a store', () => {
  for (const url of ['', 'sqlite:', 'sqlite://feed.db', 'mysql://root:secret@host/feed', 'feed.db', 'postgres:feed']) {
    it(`refuses ${JSON.stringify(url)}, names the valid forms and does not repeat a password`, async () => {
      await assert.rejects(openStore(url), (error) => {
        assert(error instanceof Error)
        assert.match(error.message, /sqlite:path\/to\.db/)
        assert.match(error.message, /postgres:\/\//)
        assert.doesNotMatch(error.message, /secret/)
        return true
      })
    })
  }

  it('does not load the PostgreSQL driver for SQLite', async () => {
    const program = `
      import { createRequire } from 'node:module'
      import { openStore } from ${JSON.stringify(new URL('../../src/store/open.ts', import.meta.url).href)}
      await using store = await openStore('sqlite::memory:')
      const loaded = Object.keys(createRequire(import.meta.url).cache)
      console.log(loaded.some((path) => /node_modules.pg/.test(path)))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
    assert.equal(stdout.trim(), 'false')
  })
})
