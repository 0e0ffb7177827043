import { DatabaseSync } from 'node:sqlite'
import type { ColumnKind } from '../../../src/store/copy/tables/table.ts'
import { execute } from '../../support/databases/postgres.ts'

export interface StoredColumn {
  readonly table: string
  readonly name: string
  /** The kinds of column that this type can hold. */
  readonly kinds: readonly ColumnKind[]
  /** The place in the primary key, from 1; 0 outside of it. */
  readonly keyPlace: number
  readonly identity: boolean
}

const SQLITE_KINDS: Readonly<Record<string, readonly ColumnKind[]>> = {
  TEXT: ['text'],
  INTEGER: ['integer', 'boolean'],
  REAL: ['real'],
  BLOB: ['bytes'],
}

const POSTGRES_KINDS: Readonly<Record<string, readonly ColumnKind[]>> = {
  text: ['text'],
  integer: ['integer'],
  bigint: ['integer'],
  'double precision': ['real'],
  boolean: ['boolean'],
  bytea: ['bytes'],
}

/** Reads from the database itself what columns it has. */
export function sqliteColumns(path: string): StoredColumn[] {
  using database = new DatabaseSync(path, { readOnly: true })
  const rows = database
    .prepare(
      `SELECT tables.name AS "table", columns.name, columns.type, columns.pk FROM sqlite_schema AS tables
       JOIN pragma_table_xinfo(tables.name) AS columns WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'`,
    )
    .all() as { table: string; name: string; type: string; pk: number }[]
  return rows.map(({ table, name, type, pk }) => ({
    table,
    name,
    kinds: SQLITE_KINDS[type] ?? [],
    keyPlace: pk,
    identity: false,
  }))
}

export async function postgresColumns(databaseUrl: string): Promise<StoredColumn[]> {
  const rows = (await execute(
    databaseUrl,
    `SELECT columns.table_name AS "table", columns.column_name AS name, columns.data_type AS type,
            columns.is_identity = 'YES' OR columns.column_default LIKE 'nextval%' AS identity,
            coalesce(array_position(keys.indkey::smallint[], attributes.attnum) + 1, 0) AS place
     FROM information_schema.columns
     JOIN pg_attribute AS attributes
       ON attributes.attrelid = columns.table_name::regclass AND attributes.attname = columns.column_name
     LEFT JOIN pg_index AS keys ON keys.indrelid = attributes.attrelid AND keys.indisprimary
     WHERE columns.table_schema = current_schema()`,
  )) as unknown as { table: string; name: string; type: string; identity: boolean | null; place: number }[]
  return rows.map(({ table, name, type, identity, place }) => ({
    table,
    name,
    kinds: POSTGRES_KINDS[type] ?? [],
    keyPlace: place,
    identity: identity ?? false,
  }))
}
