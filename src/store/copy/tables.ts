/** The form of a column: `boolean` is 0 or 1 in SQLite, `bytes` a blob or bytea. */
const COLUMN_KINDS = ['text', 'integer', 'real', 'boolean', 'bytes'] as const
export type ColumnKind = (typeof COLUMN_KINDS)[number]

interface CopiedColumn {
  readonly name: string
  readonly kind: ColumnKind
}

export type CopiedValue = string | number | boolean | Uint8Array | null
/** The values of one row, in the order of the table's columns. */
export type CopiedRow = readonly CopiedValue[]

export interface CopiedTable {
  readonly name: string
  readonly columns: readonly CopiedColumn[]
  /** The columns of the primary key, in its order. Rows are read and written in this order. */
  readonly key: readonly CopiedColumn[]
  /** The rows of a store that nobody has used: migrations insert them. */
  readonly initial: readonly CopiedRow[]
  /** The column that PostgreSQL numbers by itself. */
  readonly identity: string | null
}

/** Describes one table: "name (key): column kind, column kind". */
function table(text: TemplateStringsArray): CopiedTable {
  const [, name = '', keyNames = '', columnTexts = ''] = /^(\w+) \(([^)]+)\): (.+)$/s.exec(text[0]!) ?? []
  const columns = columnTexts.split(',').map((column) => {
    const [columnName = '', kind] = column.trim().split(/\s+/)
    const known = COLUMN_KINDS.find((each) => each === kind)
    if (known === undefined) throw new TypeError(`${name}.${columnName} has no kind of column`)
    return { name: columnName, kind: known }
  })
  const key = keyNames.split(', ').map((keyName) => {
    const found = columns.find((each) => each.name === keyName)
    if (found === undefined) throw new TypeError(`${name} has no column ${keyName}`)
    return found
  })
  return { name, columns, key, initial: [], identity: null }
}

export function keyOf({ columns, key }: CopiedTable, row: CopiedRow): CopiedValue[] {
  return key.map((column) => row[columns.indexOf(column)]!)
}

/**
 * Every table that is copied. A table comes after those it refers to, and `desk_counts` after
 * `desk_entries`, whose triggers count. A test compares this with both schemas.
 */
export const COPIED_TABLES: readonly CopiedTable[] = [
  // Accounts, and what belongs to one.
  table`accounts (id): id text, email text, name text, created_at integer, role text, status text,
    blocked_at integer, email_verified_at integer, limits text, email_key text, email_owned integer`,
  table`keys (id): id text, account_id text, kind text, name text, hash text, hint text, scopes text, origins text,
    rate_per_minute integer, created_at integer, expires_at integer, revoked_at integer, from_environment boolean`,
  table`sessions (id): id text, account_id text, method text, key_id text, passkey_id text, hash text,
    user_agent text, created_at integer, seen_at integer, expires_at integer, ended_at integer`,
  table`sign_in_links (token_hash): token_hash text, account_id text, email text, mailed integer,
    created_at integer, expires_at integer, used_at integer`,
  table`passkeys (id): id text, account_id text, credential_id text, public_key text, counter integer,
    transports text, name text, backed_up integer, created_at integer, last_used_at integer`,
  table`challenges (hash): hash text, account_id text, expires_at integer`,
  table`signups (token_hash): token_hash text, email text, name text, created_at integer, expires_at integer,
    purpose text`,
  table`mails (day, subject): day text, subject text, mails integer`,
  table`usage (key_id, day): key_id text, day text, requests integer, last_at integer`,
  table`idempotency (id): id text, fingerprint text, claimed_at integer, answer bytes, subject text, rights text,
    token text, counts text, bytes integer, mentions text, redacted boolean`,
  table`site_lists (id): id text, account_id text, name text, size integer, version integer, created_at integer,
    updated_at integer, positions bytes`,
  table`sites (list_id, number): list_id text, number integer, name text, reference text`,
  table`areas (id): id text, account_id text, name text, shape text, created_at integer, updated_at integer`,
  // The log, the incidents, the history of the desk, and when all of it was last backed up.
  {
    ...table`log_head (single): single boolean, seq integer, at integer, linked_seq integer, link text, branch text`,
    initial: [[true, 0, 0, 0, '', null]],
  },
  table`log_forks (number): number integer, id text, after_seq integer, head_seq integer, seen_seq integer, at integer`,
  table`incidents (id): id text, version integer, status text, published_at integer, document text, dossier text,
    occurred_at integer`,
  table`events (seq): seq integer, kind text, at integer, incident_id text, document text, redacted boolean,
    link text, seal text`,
  table`publishers (key): key text, name text, kind text, updated_at integer`,
  table`imports (id): id text, checkpoint text, updated_at integer`,
  table`import_runs (id): id text, started_at integer, updated_at integer, state text, report text`,
  table`import_changes (import_id, incident_id): import_id text, incident_id text, outcome text, version integer,
    poorer_fields text, before_document text, before_dossier text, undone_at integer`,
  table`duplicate_pairs (incident_id, other_id): incident_id text, other_id text, import_id text, score real,
    proposed_at integer`,
  table`dismissed_pairs (one_id, other_id): one_id text, other_id text, one_version integer, other_version integer,
    evidence real, dismissed_at integer`,
  table`redactions (id): id text, incident_id text, at integer, key_id text, account_id text, actor text,
    fields text, found text, reason text, erased_at integer, settled boolean`,
  table`redacted_incidents (incident_id, redaction_id): incident_id text, redaction_id text`,
  {
    ...table`steps (id): id integer, incident_id text, step text, version integer, at integer, key_id text,
      actor text, note text, fields text, account_id text, step_id text, changes text,
      other text`,
    identity: 'id',
  },
  {
    ...table`audit (id): id integer, at integer, account_id text, key_id text, actor text, action text,
      subject text, note text, old text, new text`,
    identity: 'id',
  },
  table`clock_readings (single): single boolean, seen_at integer, aged_at integer`,
  table`last_backup (single): single boolean, taken_at integer`,
  { ...table`desk_head (single): single boolean, revision integer`, initial: [[true, 0]] },
  table`desk_entries (id): id text, revision integer, status text, version integer, origin text, state text,
    lga text, type text, severity integer, confidence real, reported_at integer, occurred_at integer, lat real,
    lng real, claimed_by text, claim_name text, claimed_until integer, search text`,
  table`desk_counts (status, origin, severity): status text, origin text, severity integer, entries integer`,
  // Places, news sources and tips.
  { ...table`gazetteer_head (single): single boolean, revision integer`, initial: [[true, 0]] },
  table`gazetteer (id): id text, source text, source_id text, name text, key text, aliases text, kind text,
    lat real, lng real, population integer, radius_km real, removed boolean, revision integer, updated_at integer`,
  table`staged_places (import_id, id): import_id text, id text, source text, source_id text, name text, key text,
    aliases text, kind text, lat real, lng real, population integer, radius_km real, updated_at integer`,
  table`sources (id): id text, kind text, url text, url_key text, publisher text, every_minutes integer,
    paused boolean, created_at integer, due_at integer, polling text, items integer, queued integer,
    proposed integer`,
  { ...table`source_poller (single): single boolean, owner text, lease_until integer`, initial: [[true, null, 0]] },
  table`source_items (id): id text, source_id text, state text, title text, url text, url_key text,
    published_at integer, first_seen_at integer, last_seen_at integer, fingerprint text, gist text,
    duplicate_of text`,
  table`source_item_bands (band, item_id): band integer, item_id text`,
  table`source_item_incidents (item_id, incident_id, role): incident_id text, item_id text, role text`,
  table`proposed_sources (id): id text, incident_id text, item_id text, state text, proposed_at integer,
    decided_at integer, score real, content text`,
  table`unplaced_stories (item_id): item_id text, publisher text, text text, found_at integer`,
  table`tips (reference_hash): reference_hash text, incident_id text, received_at integer, contact text,
    additions integer`,
  table`tip_submissions (challenge_hash): challenge_hash text, fingerprint text, at integer`,
  table`tip_secret (single): single integer, secret text`,
  // Watches, their deliveries, and the processes that hold leases.
  {
    ...table`watch_head (single): single boolean, revision integer, pruned_revision integer, resent integer`,
    initial: [[true, 0, 0, 0]],
  },
  table`watches (id): id text, account_id text, name text, url text, host text, description text, events text,
    status text, disabled_reason text, secrets text, created_at integer, updated_at integer, created_seq integer,
    revision integer, canonical_filter text, filter text, headers text, channel text, schedule text,
    filter_seq integer`,
  table`watch_progress (watch_id): watch_id text, sequence integer, failing_since integer, failures text,
    warnings integer, resumed_at integer, seen_at integer`,
  table`alerts (watch_id): watch_id text, recipient_hash text, created_at integer, confirmed_at integer`,
  table`alert_requests (recipient_hash): recipient_hash text, asked_at integer`,
  table`watch_areas (watch_id): watch_id text, area_id text`,
  table`watch_site_lists (watch_id): watch_id text, list_id text`,
  table`removed_watches (id): id text, revision integer, emptied boolean, emptied_at integer`,
  {
    ...table`fan_out (single): single boolean, seq integer, after_watch_id text, owner text,
      lease_until integer, purged_seq integer`,
    initial: [[true, 0, null, null, 0, null]],
  },
  table`deliveries (id): id text, watch_id text, event_seq integer, sequence integer, kind text, watch_name text,
    host text, critical boolean, status text, attempts integer, tries integer, due_at integer, lease_owner text,
    created_at integer, finished_at integer, test boolean, postponed boolean, test_incident_id text, resent integer,
    severity text, maybe_attempted boolean`,
  table`attempts (delivery_id, number): delivery_id text, number integer, at integer, duration integer,
    outcome text, status_code integer, answer text, error text, content_seq integer`,
  table`push_keys (single): single integer, public_key text, private_key text`,
  table`owners (owner): owner text, beats integer`,
]

interface NotCopied {
  readonly store: 'sqlite' | 'postgres' | 'both'
  /** A table, or table.column. */
  readonly name: string
  readonly why: string
}

const FIRST_ATTEMPT = 'SQLite keeps the attempt that succeeds at once in this row; it is copied as a row of attempts'

/** All that a store has and a copy leaves out. */
export const NOT_COPIED: readonly NotCopied[] = [
  { store: 'both', name: 'schema_version', why: 'written by the migrations; both stores must have the same' },
  { store: 'both', name: 'later_versions', why: 'written by the migrations; both stores must have the same' },
  { store: 'postgres', name: 'budgets', why: 'the requests of the current minute, counted for several nodes' },
  { store: 'sqlite', name: 'fan_out.made_due', why: 'a counter that wakes processes; PostgreSQL sends a notification' },
  { store: 'sqlite', name: 'deliveries.first_at', why: FIRST_ATTEMPT },
  { store: 'sqlite', name: 'deliveries.first_duration', why: FIRST_ATTEMPT },
  { store: 'sqlite', name: 'deliveries.first_status_code', why: FIRST_ATTEMPT },
  { store: 'sqlite', name: 'deliveries.first_answer', why: FIRST_ATTEMPT },
  { store: 'sqlite', name: 'deliveries.first_content_seq', why: FIRST_ATTEMPT },
]

/** Tables whose rows a backup leaves out: they are worth nothing later, or must not come back. */
export const NOT_BACKED_UP = ['sessions', 'sign_in_links', 'challenges', 'tips', 'tip_submissions'] as const
