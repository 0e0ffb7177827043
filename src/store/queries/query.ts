/**
 * A query is a generator that yields statements and returns its result. PostgreSQL awaits each
 * statement on one connection; SQLite runs it where it is yielded. A failed
 * statement ends the query: `try` and `finally` are not used around `yield*`.
 */
export type Query<Result> = Generator<Statement, Result, unknown>

/** The queries of one part of the store: each method, except those that register a listener. */
export type QueriesOf<Part> = {
  readonly [Method in Exclude<keyof Part, `on${string}`>]: Part[Method] extends (
    ...values: infer Values
  ) => Promise<infer Result>
    ? (...values: Values) => Query<Result>
    : never
}

/** SQLite gets lists as JSON text and truth values as 0 or 1. */
export type Value = string | number | boolean | null | Uint8Array | readonly (string | number | null)[]

/** Text that a helper writes into a statement, with `?` for each of its values. */
export interface Form {
  readonly sqlite: string
  readonly postgres: string
  /** SQLite polls its change counters after a query with such a statement. */
  readonly notifies?: true
}

/** A form with the value of one call, or its values, or rows. Made by helpers in `dialect.ts`. */
export class Fragment {
  readonly form: Form
  /** Undefined if there is none. */
  readonly value: Value | undefined
  readonly list: readonly Value[] | null
  readonly many: ManyRows | null

  constructor(form: Form, value?: Value, list: readonly Value[] | null = null, many: ManyRows | null = null) {
    this.form = form
    this.value = value
    this.list = list
    this.many = many
  }
}

/** Rows for one statement: SQLite runs it for each, PostgreSQL gets one array for each column. */
export interface ManyRows {
  readonly rows: readonly (readonly Value[])[]
  /** PostgreSQL's types of the columns. */
  readonly types: readonly ColumnType[]
}

export type ColumnType = 'text' | 'bigint' | 'integer' | 'double precision' | 'boolean'

/** A call site of `sql`. Its texts stay the same, so that databases keep statements prepared. */
export class Template {
  static #made = 0
  /** Index of the prepared statement. */
  readonly id = Template.#made++
  readonly sqlite: string
  readonly postgres: string
  /** PostgreSQL's text with `?` for its values, to be part of another statement. */
  readonly postgresForm: string
  readonly notifies: boolean
  readonly isRead: boolean
  /** Null if the statement has only values. */
  readonly forms: readonly (Form | null)[] | null
  /** Whether each helper has one value. */
  readonly isOneToOne: boolean

  constructor(strings: TemplateStringsArray, given: readonly (Value | Fragment)[]) {
    const forms = given.map((value) => (value instanceof Fragment ? value.form : null))
    const write = (dialect: 'sqlite' | 'postgres') =>
      strings.reduce((text, string, index) => text + (forms[index - 1]?.[dialect] ?? '?') + string)
    this.forms = forms.some((form) => form !== null) ? forms : null
    this.isOneToOne = given.every((value) => !(value instanceof Fragment) || value.value !== undefined)
    this.notifies = forms.some((form) => form?.notifies)
    this.sqlite = write('sqlite')
    this.isRead = this.sqlite.startsWith('SELECT')
    this.postgresForm = write('postgres')
    let number = 0
    this.postgres = this.postgresForm.replaceAll('?', () => `$${++number}`)
  }
}

type Kind =
  | 'rows'
  | 'first'
  | 'run'
  | 'unchanged'
  | 'postgres'
  | 'sqlite'
  | 'dialect'
  | 'begin'
  | 'begin long'
  | 'begin sqlite'

const itself = (result: unknown) => result

/** Of statements without text. */
export const NO_TEMPLATE = new Template(Object.assign([''], { raw: [''] }), [])

/** A step of a query. As an iterator it yields itself once and returns the result: see `rows`. */
export class Statement {
  /**
   * Runs statements where they are yielded, while a query is performed synchronously: to go back to
   * the caller and into the query again, through all that called each other, costs much.
   */
  static executor: Executor | null = null
  /**
   * Never run. While a statement exists, V8 keeps the layout of the class: otherwise a collection
   * of all garbage, between two queries, throws away the code that was compiled for it.
   */
  static readonly kept = new Statement(NO_TEMPLATE, [], null, 0)
  kind: Kind = 'rows'
  readonly template: Template
  /** Owned by the statement: a database may convert values in place. */
  readonly values: Value[]
  readonly many: ManyRows | null
  /** The index in `values` that the rows come before. */
  readonly manyAt: number
  /** Makes the result out of the rows. */
  make: (result: unknown) => unknown = itself
  isYielded = false

  constructor(template: Template, values: Value[], many: ManyRows | null, manyAt: number) {
    this.template = template
    this.values = values
    this.many = many
    this.manyAt = manyAt
  }

  [Symbol.iterator](): this {
    return this
  }

  /** With an executor it is done at once. */
  next(result: unknown): IteratorResult<Statement, unknown> {
    if (Statement.executor !== null) return { value: this.make(Statement.executor.execute(this)), done: true }
    if (this.isYielded) return { value: this.make(result), done: true }
    this.isYielded = true
    return { value: this, done: false }
  }
}

interface Executor {
  execute(statement: Statement): unknown
}

const templates = new WeakMap<TemplateStringsArray, Template>()
const variants = new WeakMap<TemplateStringsArray, Map<string, Template>>()

/** A statement: values become parameters, helpers write the text of the dialect. */
export function sql(strings: TemplateStringsArray, ...given: (Value | Fragment)[]): Statement {
  let template = templates.get(strings)
  if (template === undefined) {
    template = new Template(strings, given)
    templates.set(strings, template)
  }
  return statementOf(template, given)
}

/** `sql` for a call site whose helpers differ: each variant is a statement of its own. */
export function sqlVariant(variant: string): typeof sql {
  return (strings, ...given) => {
    const known = variants.get(strings) ?? new Map<string, Template>()
    const template = known.get(variant) ?? new Template(strings, given)
    variants.set(strings, known.set(variant, template))
    return statementOf(template, given)
  }
}

function statementOf(template: Template, given: (Value | Fragment)[]): Statement {
  const { forms } = template
  if (forms === null) return new Statement(template, given as Value[], null, 0)
  const values = template.isOneToOne ? (given as Value[]) : []
  let many: ManyRows | null = null
  let manyAt = 0
  let length = 0
  for (let index = 0; index < forms.length; index++) {
    const form = forms[index]!
    if (form === null) {
      values[length++] = given[index] as Value
      continue
    }
    const value = given[index] as Fragment
    // A call site with changing forms would be run with the text of its first call.
    if (value.form !== form) throw new Error(`The helpers of a statement change: ${template.sqlite}`)
    if (value.many !== null) {
      many = value.many
      manyAt = length
    } else if (value.list !== null) for (const each of value.list) values[length++] = each
    else if (value.value !== undefined) values[length++] = value.value
  }
  return new Statement(template, values, many, manyAt)
}

/** Runs a statement and returns its rows. */
export function rows<Row extends object>(statement: Statement): Query<Row[]> {
  return statement as unknown as Query<Row[]>
}

/** Runs a statement and returns its first row, or what is made of it. */
export function first<Row extends object>(statement: Statement): Query<Row | undefined>
export function first<Row extends object, Result>(
  statement: Statement,
  make: (row: Row | undefined) => Result,
): Query<Result>
export function first(statement: Statement, make?: (row: never) => unknown): Query<unknown> {
  statement.kind = 'first'
  if (make !== undefined) statement.make = make as (row: unknown) => unknown
  return statement as unknown as Query<unknown>
}

/** As `first`, for a table that always has a row. */
export function only<Row extends object>(statement: Statement): Query<Row> {
  statement.kind = 'first'
  return statement as unknown as Query<Row>
}

/** Runs a statement and returns the number of rows that it changed. */
export function run(statement: Statement): Query<number> {
  statement.kind = 'run'
  return statement as unknown as Query<number>
}

/**
 * Runs a statement with a row of values for each of some ids, which come first in their rows.
 * Returns the ids of rows that changed nothing. PostgreSQL needs `RETURNING id` for it.
 */
export function unchanged(statement: Statement): Query<string[]> {
  statement.kind = 'unchanged'
  return statement as unknown as Query<string[]>
}

/** Runs a statement on PostgreSQL only: SQLite has one writer at a time and needs no locks. */
export function onPostgres(statement: Statement): Query<void> {
  statement.kind = 'postgres'
  return statement as unknown as Query<void>
}

/** Runs a statement on SQLite only, and returns the number of rows that it changed. */
export function onSqlite(statement: Statement): Query<number> {
  statement.kind = 'sqlite'
  return statement as unknown as Query<number>
}

/** Asks which database it is, for the few queries whose statements have nothing in common. */
export function dialect(): Query<'sqlite' | 'postgres'> {
  const statement = new Statement(NO_TEMPLATE, [], null, 0)
  statement.kind = 'dialect'
  return statement as unknown as Query<'sqlite' | 'postgres'>
}

/**
 * Begins a transaction that ends with the query; within one, it does nothing. Comes first: without
 * it, each statement is a transaction of its own. PostgreSQL gives a `long` one more time; for
 * `sqlite`, it begins none: statements that can stand alone need fewer messages to its server.
 */
export function begin(which?: 'long' | 'sqlite'): Query<void> {
  const statement = new Statement(NO_TEMPLATE, [], null, 0)
  statement.kind = which === undefined ? 'begin' : `begin ${which}`
  return statement as unknown as Query<void>
}

/**
 * Rejects text that a database cannot hold: NUL in PostgreSQL, half a surrogate pair in UTF-8,
 * which SQLite would change silently. Both stores reject both.
 */
export function checkText(text: string): void {
  if (text.includes('\0')) throw new TypeError('Text for the store contains a NUL character')
  if (!text.isWellFormed()) throw new TypeError('Text for the store contains half of a surrogate pair')
}
