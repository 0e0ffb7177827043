import { DatabaseSync } from 'node:sqlite'

export type Tables = Record<string, Record<string, unknown>[]>

/** Reads every row of every table of a SQLite file in one transaction. */
export function tablesOf(path: string): Tables {
  using database = new DatabaseSync(path, { readOnly: true })
  database.exec('BEGIN')
  const names = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`).all()
  return Object.fromEntries(
    names.map(({ name }) => {
      const rows = database.prepare(`SELECT * FROM "${name}"`).all()
      return [String(name), rows.map((row) => ({ ...row }))]
    }),
  )
}
