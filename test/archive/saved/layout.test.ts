import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeColumns, LAYOUT } from '../../../src/archive/saved/layout.ts'
import { MIGRATIONS } from '../../../src/store/sqlite/migrate.ts'

/** Migration 15 is older than saved archives. */
const OLDER_REWRITES = 1

test('a migration that rewrites documents raises the layout: saved ones are of the time before', () => {
  const rewrites = MIGRATIONS.filter(({ sql }) => /UPDATE incidents\s+SET[^;]*\bdocument\s*=/i.test(sql))
  assert.ok(LAYOUT >= 2 + rewrites.length - OLDER_REWRITES, `raise LAYOUT: ${rewrites.length} migrations rewrite`)
  assert.ok(rewrites.length >= OLDER_REWRITES, 'the pattern finds migration 15')
})

test('the description is the same in every process, and names every column', () => {
  assert.equal(describeColumns(), describeColumns())
  for (const name of ['publishedAt', 'casualties', 'suffix', 'cell'])
    assert.match(describeColumns(), new RegExp(`\\b${name} \\d`))
})
