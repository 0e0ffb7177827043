import type { NotificationTopic } from '../store.ts'
import { type ColumnType, type Form, Fragment, type Statement, type Template, type Value } from './query.ts'

// The helpers of `sql`: each has a form for SQLite and one for PostgreSQL.

/** The channel of all notifications on PostgreSQL; the payload is the topic. */
export const CHANNEL = 'incident_feed'

/** The same text in both dialects: column lists and expressions that several statements share. */
export function shared(text: string): Fragment {
  return new Fragment({ sqlite: text, postgres: text })
}

export function differing(sqlite: string, postgres: string): Fragment {
  return new Fragment({ sqlite, postgres })
}

const PLAIN: Form = { sqlite: '+?', postgres: '?' }
/**
 * A value that SQLite's planner does not look at: it compiles a statement again when the value of a
 * LIMIT, or one that it has compared with an index, changes.
 */
export function plain(value: string | number): Fragment {
  return new Fragment(PLAIN, value)
}

const TEXT: Form = { sqlite: '?', postgres: '?::text' }
/** A value whose type PostgreSQL cannot infer, as in `${text(before)} IS NULL`. */
export function text(value: string | null): Fragment {
  return new Fragment(TEXT, value)
}

const BIGINT: Form = { sqlite: '?', postgres: '?::bigint' }
export function bigint(value: number | null): Fragment {
  return new Fragment(BIGINT, value)
}

const INTEGER: Form = { sqlite: '?', postgres: '?::integer' }
export function integer(value: number | null): Fragment {
  return new Fragment(INTEGER, value)
}

const REAL: Form = { sqlite: '?', postgres: '?::float8' }
export function real(value: number | null): Fragment {
  return new Fragment(REAL, value)
}

const embeddings = new WeakMap<Template, Form>()
/** A part of a statement that is chosen when it is run: see `sqlVariant`. */
export function embedded({ template, values }: Statement): Fragment {
  let form = embeddings.get(template)
  if (form === undefined) {
    form = { sqlite: template.sqlite, postgres: template.postgresForm }
    embeddings.set(template, form)
  }
  return new Fragment(form, undefined, values)
}

const AMONG: Form = { sqlite: 'IN (SELECT value FROM json_each(?))', postgres: '= ANY (?)' }
/** `WHERE id ${among(ids)}` */
export function among(values: readonly string[] | readonly number[]): Fragment {
  return new Fragment(AMONG, values)
}

const allowances = new Map<string, Form>()
/** Whether the column has one of the values; null allows all. */
export function allowed(
  column: string,
  type: 'text' | 'integer',
  values: readonly (string | number)[] | null,
): Fragment {
  let form = allowances.get(column)
  if (form === undefined) {
    form = {
      sqlite: `(? IS NULL OR ${column} IN (SELECT value FROM json_each(?)))`,
      postgres: `(?::${type}[] IS NULL OR ${column} = ANY (?))`,
    }
    allowances.set(column, form)
  }
  return new Fragment(form, undefined, [values, values])
}

const WORDS_IN_SEARCH: Form = {
  sqlite: "NOT EXISTS (SELECT 1 FROM json_each(?) AS word WHERE instr(search || ' ', word.value) = 0)",
  postgres: "NOT EXISTS (SELECT 1 FROM unnest(?::text[]) AS word WHERE position(word IN search || ' ') = 0)",
}
/** Whether the column `search`, and a space behind it, has all of the texts. */
export function hasWords(words: readonly string[]): Fragment {
  return new Fragment(WORDS_IN_SEARCH, words)
}

/** A JSON list of what a subquery finds: `(SELECT ${jsonList('id')} FROM …)`. */
export function jsonList(expression: string): Fragment {
  return differing(`json_group_array(${expression})`, `json_agg(${expression})::text`)
}

const subqueries = new WeakMap<Template, Form>()
/**
 * ``WHERE id ${amongRows(sql`SELECT id … LIMIT …`)}``: PostgreSQL reads the rows once, before it
 * looks for any of them.
 */
export function amongRows({ template, values }: Statement): Fragment {
  let form = subqueries.get(template)
  if (form === undefined) {
    form = { sqlite: `IN (${template.sqlite})`, postgres: `= ANY (ARRAY(${template.postgresForm}))` }
    subqueries.set(template, form)
  }
  return new Fragment(form, undefined, values)
}

const lists = new Map<number, Form>()
/** `VALUES (${listed(values)})`, or `SET (one, other) = (${listed(values)})`. */
export function listed(values: readonly Value[]): Fragment {
  let form = lists.get(values.length)
  if (form === undefined) {
    const list = values.map(() => '?').join(', ')
    form = { sqlite: list, postgres: list }
    lists.set(values.length, form)
  }
  return new Fragment(form, undefined, values)
}

type Columns = Readonly<Record<string, ColumnType>>
type RowsHelper = (rows: readonly (readonly Value[])[]) => Fragment

/**
 * `INSERT INTO steps (incident_id, at) ${STEPS(rows)}`. SQLite runs the statement for each row. An
 * expression stands for a column's value; it names the columns `next.id` and so on.
 */
export function insertedRows(columns: Columns, expressions: Readonly<Record<string, string>> = {}): RowsHelper {
  const names = Object.keys(columns)
  const types = Object.values(columns)
  const selected = names.map((name) => expressions[name] ?? `next.${name}`).join(', ')
  // Node looks for the names of numbered parameters, which takes longer.
  const values =
    Object.keys(expressions).length === 0
      ? names.map(() => '?').join(', ')
      : selected.replaceAll(/\bnext\.(\w+)/g, (_, name) => `?${names.indexOf(name) + 1}`)
  const form = { sqlite: `VALUES (${values})`, postgres: `SELECT ${selected} FROM ${unnested('next', columns)}` }
  return (rows) => new Fragment(form, undefined, null, { rows, types })
}

function unnested(alias: string, columns: Columns): string {
  const arrays = Object.values(columns).map((type) => `?::${type}[]`)
  return `unnest(${arrays.join(', ')}) AS ${alias} (${Object.keys(columns).join(', ')})`
}

type RowColumns<Names extends string> = Readonly<Record<Names, Fragment>> & {
  /** `UPDATE watches SET name = ${NEXT.name} ${NEXT.from(rows)} WHERE watches.id = ${NEXT.id}` */
  from: RowsHelper
  /** `INSERT … SELECT ${NEXT.id}, … FROM ${NEXT.table(rows)} LEFT JOIN …` */
  table: RowsHelper
}

/**
 * Columns of rows that a statement is run with. In SQLite, which runs it for each row, they are
 * numbered parameters, as `plain` as others, and there can be no other values in the statement.
 */
export function eachRow<Names extends string>(
  alias: string,
  columns: Readonly<Record<Names, ColumnType>>,
): RowColumns<Names> {
  const names = Object.keys(columns) as Names[]
  const types = Object.values<ColumnType>(columns)
  const references = names.map((name, index) => [name, differing(`+?${index + 1}`, `${alias}.${name}`)])
  const from = { sqlite: '', postgres: `FROM ${unnested(alias, columns)}` }
  const table = { sqlite: `(SELECT 1) AS ${alias}`, postgres: unnested(alias, columns) }
  return {
    ...(Object.fromEntries(references) as Record<Names, Fragment>),
    from: (rows) => new Fragment(from, undefined, null, { rows, types }),
    table: (rows) => new Fragment(table, undefined, null, { rows, types }),
  }
}

/** Locks the rows until the transaction ends. SQLite has one writer at a time. */
export const FOR_UPDATE = differing('', 'FOR UPDATE')
/** Does not wait for the foreign keys of new rows. */
export const FOR_NO_KEY_UPDATE = differing('', 'FOR NO KEY UPDATE')
export const FOR_SHARE = differing('', 'FOR SHARE')
export const FOR_UPDATE_SKIP_LOCKED = differing('', 'FOR UPDATE SKIP LOCKED')

/** The index that SQLite, which knows nothing about the values of columns, might not choose. */
export function indexedBy(index: string): Fragment {
  return differing(`INDEXED BY ${index}`, '')
}

/** Keeps SQLite from looking rows up by this column. */
export function unindexed(column: string): Fragment {
  return differing(`+${column}`, column)
}

/** SQLite reads the tables before it first. */
export const THEN_JOIN = differing('CROSS JOIN', 'JOIN')

/** Sorts by bytes, as SQLite does. */
export const BY_BYTES = differing('', 'COLLATE "C"')

/** See `noteDue`. */
export const NOTE_DUE = new Fragment({
  sqlite: 'UPDATE fan_out SET made_due = made_due + 1',
  postgres: `SELECT pg_notify('${CHANNEL}', 'deliveries')`,
  notifies: true,
})

/** As in SQLite's partial indexes on deliveries. */
export const NO_TEST = differing('test = 0', 'NOT test')

/**
 * `UPDATE desk_head SET revision = … ${ALSO_NOTIFY.desk}`: PostgreSQL notifies listeners when the
 * transaction commits. SQLite polls its counters after the query; it notices events without that.
 */
export const ALSO_NOTIFY = {
  events: differing('', `RETURNING pg_notify('${CHANNEL}', 'events')`),
  watches: notifying('watches'),
  desk: notifying('desk'),
  gazetteer: notifying('gazetteer'),
}

function notifying(topic: NotificationTopic): Fragment {
  return new Fragment({ sqlite: '', postgres: `RETURNING pg_notify('${CHANNEL}', '${topic}')`, notifies: true })
}

/** The greater of several values: `${GREATEST}(pruned_revision, ${last})`. */
export const GREATEST = differing('max', 'greatest')
export const LEAST = differing('min', 'least')

/** A truth value, in the words of the partial indexes. */
export function isTrue(column: string): Fragment {
  return differing(`${column} = 1`, column)
}

export function isFalse(column: string): Fragment {
  return differing(`${column} = 0`, `NOT ${column}`)
}
