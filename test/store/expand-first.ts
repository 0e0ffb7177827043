/** The columns of each table of a release; builds of it run beside newer ones. */
export type ReleasedTables = ReadonlyMap<string, ReadonlySet<string>>

/** Added by migrations since that release, whose statements do not know it. */
interface Added {
  readonly tables: Set<string>
  /** As `table.column`. */
  readonly columns: Set<string>
}

const TABLE = /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+) ?\((.*)$/i
const INDEX = /^CREATE (UNIQUE )?INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?\w+ ON (\w+)/i
/** Of a name that no function has: older builds call none that they do not know. */
const FUNCTION = /^CREATE FUNCTION \w+ ?\(/i
const ALTER = /^ALTER TABLE (?:IF EXISTS |ONLY )?(\w+) (.*)$/i
const ADD_COLUMN = /^ADD (?:COLUMN )?(?:IF NOT EXISTS )?(?!CONSTRAINT|CHECK|UNIQUE|PRIMARY|FOREIGN|EXCLUDE)(\w+) (.*)$/i
const INSERT = /^INSERT INTO (\w+)/i
const UPDATE = /^UPDATE (?:ONLY )?(\w+) SET (.*?)(?: WHERE .*)?$/i
/** A row that an older build deletes must not be held by one that it cannot know. */
const REFERENCE = /REFERENCES (\w+)(?: ?\([^)]*\))?( ON DELETE (?:CASCADE|SET NULL))?/gi

/**
 * Returns why builds of the release could not go on while the migrations are applied, or after.
 * Only what is known to be harmless is allowed: a statement of another kind is a reason too.
 * `unnamed`: tables into which the release inserts without naming the columns.
 */
export function reasonsAgainst(
  migrations: readonly string[],
  released: ReleasedTables,
  unnamed: ReadonlySet<string>,
): string[] {
  const added: Added = { tables: new Set(), columns: new Set() }
  return migrations.flatMap((sql) =>
    statementsOf(sql).flatMap((statement) =>
      reasonsIn(statement, released, unnamed, added).map((reason) => `${statement.slice(0, 80)}: ${reason}`),
    ),
  )
}

function reasonsIn(statement: string, released: ReleasedTables, unnamed: ReadonlySet<string>, added: Added): string[] {
  const [, table, definition] = TABLE.exec(statement) ?? []
  if (table !== undefined) {
    if (released.has(table)) return ['the table exists']
    added.tables.add(table)
    return referencesIn(definition!, released)
  }
  const [, unique, indexed] = INDEX.exec(statement) ?? []
  if (indexed !== undefined)
    return unique !== undefined && released.has(indexed) ? ['older builds may write what a unique index refuses'] : []
  if (FUNCTION.test(statement)) return []
  const [, altered, actions] = ALTER.exec(statement) ?? []
  if (altered !== undefined) {
    if (added.tables.has(altered)) return []
    return partsOf(actions!).flatMap((action) => reasonsInAction(action, altered, released, unnamed, added))
  }
  const [, filled] = INSERT.exec(statement) ?? []
  if (filled !== undefined) return added.tables.has(filled) ? [] : ['it writes rows that older builds read']
  const [, updated, settings] = UPDATE.exec(statement) ?? []
  if (updated !== undefined) {
    if (added.tables.has(updated)) return []
    const columns = partsOf(settings!).map((setting) => setting.split('=')[0]!.trim())
    const known = columns.filter((column) => !added.columns.has(`${updated}.${column}`))
    return known.map((column) => `it changes ${column}, which older builds use`)
  }
  return ['it is not known to be harmless to older builds']
}

function reasonsInAction(
  action: string,
  table: string,
  released: ReleasedTables,
  unnamed: ReadonlySet<string>,
  added: Added,
): string[] {
  const [, column, type] = ADD_COLUMN.exec(action) ?? []
  if (column === undefined) return [`${action.slice(0, 40)} takes or refuses something that older builds use`]
  added.columns.add(`${table}.${column}`)
  const reasons = referencesIn(type!, released)
  if (/\bNOT NULL\b/i.test(type!) && !/\bDEFAULT\b/i.test(type!)) reasons.push('older builds insert rows without it')
  if (/\b(UNIQUE|PRIMARY KEY|CHECK|GENERATED)\b/i.test(type!)) reasons.push('a check, which older builds do not know')
  const others = [...released].filter(([name, columns]) => name !== table && columns.has(column))
  if (others.length > 0)
    reasons.push(
      `${others.map(([name]) => name).join(', ')} has a column of that name: a join of older builds that does not name the table would be ambiguous`,
    )
  if (unnamed.has(table)) reasons.push('older builds insert rows without naming the columns')
  return reasons
}

function referencesIn(definition: string, released: ReleasedTables): string[] {
  return [...definition.matchAll(REFERENCE)]
    .filter(([, table, onDelete]) => released.has(table!) && onDelete === undefined)
    .map(([, table]) => `rows of ${table} that older builds delete would be held; say ON DELETE`)
}

/** Statements without comments and without bodies of functions, with single spaces. */
function statementsOf(sql: string): string[] {
  const text = sql
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\$\$.*?\$\$/g, "''")
  return splitAt(';', text)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

/** Splits a list at commas that are in no parentheses. */
const partsOf = (list: string): string[] => splitAt(',', list).map((part) => part.trim())

/** Splits at a character that is neither in quotes nor in parentheses. */
function splitAt(separator: string, text: string): string[] {
  const parts = ['']
  let depth = 0
  let isQuoted = false
  for (const character of text) {
    if (character === "'") isQuoted = !isQuoted
    else if (!isQuoted && character === '(') depth++
    else if (!isQuoted && character === ')') depth--
    if (character === separator && depth === 0 && !isQuoted) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts
}
