import type { NotificationTopic } from '../store.ts'
import { type ColumnType, type Form, Fragment, type Statement, type Template, type Value } from './query.ts'

// The helpers of `sql`: each has a form for SQLite and one for PostgreSQL.

/** The channel of all notifications on PostgreSQL; the payload is the topic. */
export const CHANNEL = 'incident_feed'

/** The same text in both dialects: for column lists and expressions that several statements share. */
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
  return new Fragment(PLAIN, [value])
}

const TEXT: Form = { sqlite: '?', postgres: '?::text' }
/** A value whose type PostgreSQL cannot infer, as in `${text(before)} IS NULL`. */
export function text(value: string | null): Fragment {
  return new Fragment(TEXT, [value])
}

const BIGINT: Form = { sqlite: '?', postgres: '?::bigint' }
export function bigint(value: number | null): Fragment {
  return new Fragment(BIGINT, [value])
}

const INTEGER: Form = { sqlite: '?', postgres: '?::integer' }
export function integer(value: number | null): Fragment {
  return new Fragment(INTEGER, [value])
}

const REAL: Form = { sqlite: '?', postgres: '?::float8' }
export function real(value: number | null): Fragment {
  return new Fragment(REAL, [value])
}

const embeddings = new WeakMap<Template, Form>()
/** A part of a statement that is chosen when it is run: see `sqlVariant`. */
export function embedded({ template, values }: Statement): Fragment {
  let form = embeddings.get(template)
  if (form === undefined) {
    form = { sqlite: template.sqlite, postgres: template.postgresForm }
    embeddings.set(template, form)
  }
  return new Fragment(form, values)
}

const AMONG: Form = { sqlite: 'IN (SELECT value FROM json_each(?))', postgres: '= ANY (?)' }
/** `WHERE id ${among(ids)}` */
export function among(values: readonly string[] | readonly number[]): Fragment {
  return new Fragment(AMONG, [values])
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
  return new Fragment(form, [values, values])
}

const WORDS_IN_SEARCH: Form = {
  sqlite: 'NOT EXISTS (SELECT 1 FROM json_each(?) AS word WHERE instr(search, word.value) = 0)',
  postgres: 'NOT EXISTS (SELECT 1 FROM unnest(?::text[]) AS word WHERE position(word IN search) = 0)',
}
/** Whether the column `search` has all of the words. */
export function hasWords(words: readonly string[]): Fragment {
  return new Fragment(WORDS_IN_SEARCH, [words])
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
  return new Fragment(form, values)
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
  return new Fragment(form, values)
}

type Columns = Readonly<Record<string, ColumnType>>
type RowsHelper = (rows: readonly (readonly Value[])[]) => Fragment

/** `INSERT INTO steps (incident_id, at) ${STEPS(rows)}`. SQLite runs the statement for each row. */
export function insertedRows(columns: Columns): RowsHelper {
  const types = Object.values(columns)
  const arrays = types.map((type) => `?::${type}[]`).join(', ')
  const form = { sqlite: `VALUES (${types.map(() => '?').join(', ')})`, postgres: `SELECT * FROM unnest(${arrays})` }
  return (rows) => new Fragment(form, [], { rows, types })
}

/** `UPDATE watches SET name = given.name FROM ${GIVEN(rows)} WHERE watches.id = given.id` */
export function givenRows(alias: string, columns: Columns): RowsHelper {
  const names = Object.keys(columns)
  const types = Object.values(columns)
  const arrays = types.map((type) => `?::${type}[]`).join(', ')
  const form = {
    sqlite: `(SELECT ${names.map((name) => `? AS ${name}`).join(', ')}) AS ${alias}`,
    postgres: `unnest(${arrays}) AS ${alias} (${names.join(', ')})`,
  }
  return (rows) => new Fragment(form, [], { rows, types })
}

/** Locks the rows until the transaction ends. SQLite has one writer at a time. */
export const FOR_UPDATE = differing('', 'FOR UPDATE')
/** Does not wait for the foreign keys of new rows. */
export const FOR_NO_KEY_UPDATE = differing('', 'FOR NO KEY UPDATE')
export const FOR_SHARE = differing('', 'FOR SHARE')
export const FOR_UPDATE_SKIP_LOCKED = differing('', 'FOR UPDATE SKIP LOCKED')

/** Sorts by bytes, as SQLite does. */
export const BY_BYTES = differing('', 'COLLATE "C"')

const notifications = new Map<NotificationTopic, Form>()
/** Notifies listeners when the transaction commits: `RETURNING revision ${alsoNotify('watches')}`. */
export function alsoNotify(topic: NotificationTopic): Fragment {
  let form = notifications.get(topic)
  if (form === undefined) {
    form = { sqlite: '', postgres: `, pg_notify('${CHANNEL}', '${topic}')`, notifies: true }
    notifications.set(topic, form)
  }
  return new Fragment(form)
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
