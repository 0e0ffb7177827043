import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { MEMORY } from '../files.ts'
import { checkText, NO_TEMPLATE, type Query, Statement, type Value } from '../queries/query.ts'
import { StoreUnusable } from '../store.ts'

type Values = readonly SQLInputValue[]

/** Prepares each statement once. Used in the worker, because every call blocks. */
export class Database implements Disposable {
  readonly #connection: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  /** By the id of their template. */
  readonly #prepared: StatementSync[] = []
  #hasExecuted = false
  /** True if the query that is performed has begun a transaction. */
  #hasBegun = false
  /** True once a statement has notified others; the reply to the call tells the main thread. */
  hasNotified = false

  constructor(connection: DatabaseSync) {
    this.#connection = connection
  }

  /** Runs a query to its end, in one transaction if it begins one. */
  perform<Result>(query: Query<Result>): Result {
    this.#hasExecuted = false
    Statement.executor = this
    try {
      const result = query.next().value as Result
      if (this.#hasBegun) this.#compiled('COMMIT').all()
      return result
    } catch (error) {
      // After a full disk or an I/O error SQLite may have rolled back already.
      if (this.#hasBegun && this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
      throw error
    } finally {
      Statement.executor = null
      this.#hasBegun = false
    }
  }

  execute(statement: Statement): unknown {
    const { template, values, kind, many } = statement
    if (kind === 'postgres' || template === NO_TEMPLATE) return this.#control(kind)
    this.#hasExecuted = true
    let prepared = this.#prepared[template.id]
    if (prepared === undefined) {
      prepared = this.#connection.prepare(template.sqlite)
      this.#prepared[template.id] = prepared
    }
    if (template.notifies) this.hasNotified = true
    if (many !== null) {
      if (many.rows.length !== 1) return this.transaction(() => executeMany(prepared, statement))
      return kind === 'rows' || values.length > 0
        ? executeMany(prepared, statement)
        : executeOne(prepared, kind, many.rows[0] as Value[])
    }
    bind(values)
    if (kind === 'run' || kind === 'sqlite') return prepared.run(...(values as SQLInputValue[])).changes
    if (kind === 'first' && template.isRead) return prepared.get(...(values as SQLInputValue[]))
    // Reads to the end: otherwise an error while committing a write would go unnoticed.
    const rows = prepared.all(...(values as SQLInputValue[]))
    return kind === 'first' ? rows[0] : rows
  }

  #control(kind: Statement['kind']): unknown {
    if (kind === 'dialect') return 'sqlite'
    if (kind === 'postgres' || this.#connection.isTransaction) return undefined
    if (this.#hasExecuted) throw new Error('A query begins its transaction first')
    this.#compiled('BEGIN IMMEDIATE').all()
    this.#hasBegun = true
    return undefined
  }

  all<Row>(sql: string, values: Values = []): Row[] {
    return this.#compiled(sql).all(...checked(values)) as Row[]
  }

  /** Reads to the end: otherwise an error while committing the statement would go unnoticed. */
  get<Row>(sql: string, values: Values = []): Row | undefined {
    return this.all<Row>(sql, values)[0]
  }

  run(sql: string, values: Values = []): number {
    return Number(this.#compiled(sql).run(...checked(values)).changes)
  }

  /** Reads row by row, as lists of values: for results that do not fit in memory. */
  iterate(sql: string, values: Values = []): IterableIterator<SQLOutputValue[]> {
    const statement = this.#connection.prepare(sql)
    statement.setReturnArrays(true)
    return statement.iterate(...checked(values)) as unknown as IterableIterator<SQLOutputValue[]>
  }

  script(sql: string): void {
    this.#connection.exec(sql)
  }

  /**
   * Takes the write lock at once: taken later, it fails without waiting if another has written.
   * Within a transaction, the work becomes part of it.
   */
  transaction<Result>(work: () => Result): Result {
    if (this.#connection.isTransaction) return work()
    this.#compiled('BEGIN IMMEDIATE').all()
    try {
      const result = work()
      this.#compiled('COMMIT').all()
      return result
    } catch (error) {
      // After a full disk or an I/O error SQLite may have rolled back already.
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
      throw error
    }
  }

  [Symbol.dispose](): void {
    this.#connection.close()
  }

  #compiled(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#connection.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

/**
 * synchronous = FULL: a commit is on the disk before the call returns. wal_autocheckpoint: a
 * checkpoint every 32 MB, because each one waits for the disk, and a thousand deliveries fill 4 MB.
 * journal_size_limit: returns disk space after a large import.
 */
const WRITING = `
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA cache_size = -65536;
  PRAGMA wal_autocheckpoint = 8192;
  PRAGMA journal_size_limit = 67108864;
`

export function openForWriting(path: string, busyTimeout: number): Database {
  return openPrepared(path, busyTimeout, (connection) => {
    const mode = connection.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode
    if (mode !== 'wal' && path !== MEMORY) {
      throw new StoreUnusable(`${path} is on a file system that SQLite's write-ahead log cannot use`)
    }
    connection.exec(WRITING)
  })
}

/** In memory, with the content that `serialize` returned for another; empty without. */
export function openCopied(connection: DatabaseSync, content: Uint8Array | null): Database {
  if (content !== null) connection.deserialize(content)
  connection.exec(WRITING)
  return new Database(connection)
}

export function openForReading(path: string, busyTimeout: number): Database {
  return new Database(new DatabaseSync(path, { readOnly: true, timeout: busyTimeout }))
}

/** Fails while another connection has the file open; keeps others out. Leaves no log file. */
export function openExclusively(path: string): Database {
  return openPrepared(path, 0, (connection) => connection.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE'))
}

/**
 * Like `openExclusively`, for many transactions: the lock is kept between them. With a write-ahead
 * log, because a rollback journal that a killed process leaves cannot be read past without writing.
 */
export function openExclusivelyForWriting(path: string): Database {
  return openPrepared(path, 0, (connection) => {
    // The mode can only be changed while nobody else has the file open.
    connection.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = DELETE;
      BEGIN EXCLUSIVE;
      COMMIT;
      PRAGMA journal_mode = WAL;
    `)
    connection.exec(WRITING)
  })
}

function openPrepared(path: string, timeout: number, prepare: (connection: DatabaseSync) => void): Database {
  const connection = new DatabaseSync(path, { timeout })
  try {
    prepare(connection)
    return new Database(connection)
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Opens a file that nothing writes to; needs no permission to create files beside it. */
export function openImmutable(path: string): Database {
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  return new Database(new DatabaseSync(url, { readOnly: true }))
}

/** The usual case of `executeMany`. */
function executeOne(prepared: StatementSync, kind: Statement['kind'], row: Value[]): unknown {
  bind(row)
  const { changes } = prepared.run(...(row as SQLInputValue[]))
  if (kind !== 'unchanged') return changes
  return changes === 0 ? [row[0]] : []
}

function executeMany(prepared: StatementSync, { kind, values, many, manyAt }: Statement): unknown {
  let changed = 0
  const results: unknown[] = []
  for (const row of many!.rows) {
    // The rows are the statement's own, too.
    const bound = values.length === 0 ? (row as Value[]) : values.toSpliced(manyAt, 0, ...row)
    bind(bound)
    if (kind === 'rows') results.push(...prepared.all(...(bound as SQLInputValue[])))
    else {
      const { changes } = prepared.run(...(bound as SQLInputValue[]))
      changed += changes as number
      if (changes === 0 && kind === 'unchanged') results.push(row[0])
    }
  }
  return kind === 'run' ? changed : results
}

/** Converts values in place. */
function bind(values: Value[]): void {
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!
    if (typeof value === 'string') checkText(value)
    else if (typeof value === 'boolean') values[index] = value ? 1 : 0
    else if (Array.isArray(value)) values[index] = checkedJson(value)
  }
}

function checkedJson(list: readonly unknown[]): string {
  for (const each of list) if (typeof each === 'string') checkText(each)
  return JSON.stringify(list)
}

function checked(values: Values): Values {
  for (const value of values) if (typeof value === 'string') checkText(value)
  return values
}
