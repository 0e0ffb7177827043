import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { LAST_NEEDED_BY_ALL, type Migration } from '../../src/store/migrations.ts'
import { MIGRATIONS as POSTGRES } from '../../src/store/postgres/migrate.ts'
import { Database } from '../../src/store/sqlite/database.ts'
import { migrate, MIGRATIONS as SQLITE } from '../../src/store/sqlite/migrate.ts'
import { type ReleasedTables, reasonsAgainst } from './expand-first.ts'

/** Written by `npm run release`. */
const RELEASES = JSON.parse(readFileSync(new URL('releases.json', import.meta.url), 'utf8')) as {
  readonly version: string
  readonly schema: number
}[]

/** Release 0.2.0 inserts into these without naming the columns; no statement does so any more. */
const UNNAMED: ReadonlySet<string> = new Set(['tip_secret', 'push_keys', 'dismissed_pairs'])

function tablesAt(schema: number): ReleasedTables {
  const connection = new DatabaseSync(':memory:')
  using database = new Database(connection)
  migrate(
    database,
    SQLITE.filter(({ version }) => version <= schema),
  )
  const columns = database.all<{ table: string; column: string }>(
    `SELECT tables.name AS "table", columns.name AS "column"
     FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'`,
  )
  return new Map(
    Map.groupBy(columns, ({ table }) => table)
      .entries()
      .map(([table, of]) => [table, new Set(of.map(({ column }) => column))]),
  )
}

/** The last release before the migration: nodes of it run beside nodes that have applied it. */
const releaseBefore = ({ version }: Migration) => RELEASES.findLast(({ schema }) => schema < version)!

describe('migrations are expand first', () => {
  it('since the last that all builds must know', () => {
    assert.equal(RELEASES[0]!.schema, LAST_NEEDED_BY_ALL)
    assert.deepEqual(
      SQLITE.map(({ needs }) => needs),
      POSTGRES.map(({ needs }) => needs),
    )
  })

  for (const [dialect, migrations] of Object.entries({ SQLite: SQLITE, PostgreSQL: POSTGRES }))
    it(`each works with the release before it, on ${dialect}`, () => {
      const later = migrations.filter(({ version }) => version > LAST_NEEDED_BY_ALL)
      for (const migration of later) {
        const { version, schema } = releaseBefore(migration)
        const since = later.filter((each) => each.version > schema && each.version <= migration.version)
        if (migration.needs !== null)
          assert.ok(migration.needs <= schema, `${migration.name} needs a build after ${version}, the last release`)
        else {
          const sql = since.filter(({ needs }) => needs === null).map((each) => each.sql)
          assert.deepEqual(reasonsAgainst(sql, tablesAt(schema), UNNAMED), [], `${migration.name} stops ${version}`)
        }
      }
    })

  const released: ReleasedTables = new Map([
    ['events', new Set(['seq', 'document'])],
    ['log_head', new Set(['seq', 'at'])],
    ['tip_secret', new Set(['single', 'secret'])],
  ])
  const ALLOWED = [
    'CREATE TABLE forks (id integer PRIMARY KEY, at bigint NOT NULL CHECK (at > 0)); CREATE UNIQUE INDEX one ON forks (at)',
    'CREATE TABLE notes (seq bigint REFERENCES events (seq) ON DELETE CASCADE, text text)',
    "ALTER TABLE events ADD COLUMN link bytea; UPDATE events SET link = '' WHERE seq = 1",
    'ALTER TABLE log_head ADD COLUMN linked integer NOT NULL DEFAULT 0, ADD COLUMN branch text',
    'CREATE INDEX events_links ON events (document, seq); -- DROP TABLE events;',
    "CREATE FUNCTION branch() RETURNS text LANGUAGE plpgsql AS $$ BEGIN DELETE FROM events; RETURN 'it''s'; END $$",
    'CREATE TABLE a (b integer); ALTER TABLE a DROP COLUMN b; INSERT INTO a VALUES (1)',
  ]
  for (const sql of ALLOWED) it(`allows ${sql}`, () => assert.deepEqual(reasonsAgainst([sql], released, UNNAMED), []))

  const REFUSED: readonly (readonly [string, RegExp])[] = [
    ['DROP TABLE events', /not known/],
    ['DROP INDEX events_links', /not known/],
    ['ALTER TABLE events RENAME TO log', /takes/],
    ['ALTER TABLE events RENAME COLUMN seq TO number', /takes/],
    ['ALTER TABLE events DROP COLUMN document', /takes/],
    ['ALTER TABLE events ALTER COLUMN document TYPE bytea', /takes/],
    ['ALTER TABLE events ALTER COLUMN document SET NOT NULL', /takes/],
    ['ALTER TABLE events ADD CONSTRAINT positive CHECK (seq > 0)', /takes/],
    ['ALTER TABLE events ADD CHECK (seq > 0)', /takes/],
    ['ALTER TABLE events ADD COLUMN link text, DROP COLUMN document', /takes/],
    ['ALTER TABLE events ADD COLUMN link text NOT NULL', /without it/],
    ['ALTER TABLE events ADD COLUMN link text UNIQUE', /check/],
    ['ALTER TABLE events ADD link integer DEFAULT 0 CHECK (link >= 0)', /check/],
    ['ALTER TABLE events ADD COLUMN at bigint', /log_head has a column of that name/],
    ['ALTER TABLE tip_secret ADD COLUMN made_at bigint', /without naming/],
    ['CREATE UNIQUE INDEX events_documents ON events (document)', /unique index/],
    ['CREATE TABLE notes (seq bigint REFERENCES events (seq))', /would be held/],
    ['CREATE TABLE notes (seq bigint REFERENCES events)', /would be held/],
    ['CREATE TABLE IF NOT EXISTS events (seq bigint)', /exists/],
    ["UPDATE events SET document = ''", /changes document/],
    ['ALTER TABLE events ADD COLUMN link text; UPDATE events SET link = 1, document = 2', /changes document/],
    ['INSERT INTO log_head VALUES (1)', /rows that older builds read/],
    ['DELETE FROM events', /not known/],
    ['CREATE OR REPLACE FUNCTION branch() RETURNS text LANGUAGE sql AS $$ SELECT 1 $$', /not known/],
    ['CREATE FUNCTION branch() RETURNS text LANGUAGE sql AS $$ SELECT 1 $$; DROP TABLE events', /not known/],
    ['CREATE TRIGGER t BEFORE INSERT ON events BEGIN SELECT 1; END', /not known/],
  ]
  for (const [sql, reason] of REFUSED)
    it(`refuses ${sql}`, () => assert.match(reasonsAgainst([sql], released, UNNAMED).join('\n'), reason))
})

it('every statement that inserts names its columns, so that a table can get more', () => {
  const folder = new URL('../../src/store/', import.meta.url)
  const unnamed = globSync('**/*.ts', { cwd: folder }).flatMap((file) => {
    const text = readFileSync(new URL(file, folder), 'utf8')
    return [...text.matchAll(/INSERT INTO \w+\s+(?:VALUES|SELECT)\b.*/g)].map(([found]) => `${file}: ${found}`)
  })
  assert.deepEqual(unnamed, [])
})
