import { DatabaseSync } from 'node:sqlite'

/** A counter that wakes processes; a copy starts it again. */
const STARTS_AGAIN = { table: 'fan_out', column: 'made_due' }

export interface FileComparison {
  readonly rows: number
  /** One sentence for each table that is not the same in both files. */
  readonly problems: readonly string[]
}

/** Compares every row of every table in SQL, without the code that copied them. */
export function compareFiles(one: string, other: string): FileComparison {
  using database = new DatabaseSync(one)
  database.prepare('ATTACH DATABASE ? AS other').run(other)
  const namesIn = (schema: string) =>
    database
      .prepare(`SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table' ORDER BY name`)
      .all()
      .map(({ name }) => String(name))
  const names = namesIn('main')
  const problems = names.join() === namesIn('other').join() ? [] : ['the tables are not the same']
  const count = (sql: string) => Number(database.prepare(`SELECT count(*) AS count FROM (${sql})`).get()!.count)
  let rows = 0
  for (const name of names) {
    const columns = database
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all(name)
      .map((column) => String(column.name))
      .filter((column) => name !== STARTS_AGAIN.table || column !== STARTS_AGAIN.column)
    const from = (schema: string) =>
      `SELECT ${columns.map((column) => `"${column}"`).join(', ')} FROM ${schema}."${name}"`
    const total = count(from('main'))
    rows += total
    const missing = count(`${from('main')} EXCEPT ${from('other')}`)
    const added = count(`${from('other')} EXCEPT ${from('main')}`)
    const difference = count(from('other')) - total
    if (missing + added + Math.abs(difference) > 0)
      problems.push(`${name}: ${missing} rows are missing or different, ${added} are new or different`)
  }
  return { rows, problems }
}
