import { type CopiedTable, table } from './table.ts'

/** The log, the incidents, the history of the desk, and when all of it was last backed up. */
export const INCIDENTS_TABLES: readonly CopiedTable[] = [
  table('log_head', 'single', `single boolean, seq integer, at integer`, { initial: [[true, 0, 0]] }),
  table(
    'incidents',
    'id',
    `id text, version integer, status text, published_at integer, document text, dossier text,
     occurred_at integer`,
  ),
  table('events', 'seq', `seq integer, kind text, at integer, incident_id text, document text, redacted boolean`),
  table('publishers', 'key', `key text, name text, kind text, updated_at integer`),
  table('imports', 'id', `id text, checkpoint text, updated_at integer`),
  table('import_runs', 'id', `id text, started_at integer, updated_at integer, state text, report text`),
  table(
    'import_changes',
    'import_id, incident_id',
    `import_id text, incident_id text, outcome text, version integer, poorer_fields text,
     before_document text, before_dossier text, undone_at integer`,
  ),
  table(
    'duplicate_pairs',
    'incident_id, other_id',
    `incident_id text, other_id text, import_id text, score real, proposed_at integer`,
  ),
  table(
    'dismissed_pairs',
    'one_id, other_id',
    `one_id text, other_id text, one_version integer, other_version integer, evidence real, dismissed_at integer`,
  ),
  table(
    'redactions',
    'id',
    `id text, incident_id text, at integer, key_id text, account_id text, actor text, fields text,
     found text, reason text, erased_at integer, settled boolean`,
  ),
  table('redacted_incidents', 'incident_id, redaction_id', `incident_id text, redaction_id text`),
  table(
    'steps',
    'id',
    `id integer, incident_id text, step text, version integer, at integer, key_id text, actor text,
     note text, fields text, account_id text, step_id text, changes text, other text`,
    { identity: 'id' },
  ),
  table(
    'audit',
    'id',
    `id integer, at integer, account_id text, key_id text, actor text, action text, subject text,
     note text, old text, new text`,
    { identity: 'id' },
  ),
  table('last_backup', 'single', `single boolean, taken_at integer`),
  table('desk_head', 'single', `single boolean, revision integer`, { initial: [[true, 0]] }),
  table(
    'desk_entries',
    'id',
    `id text, revision integer, status text, version integer, origin text, state text, lga text,
     type text, severity integer, confidence real, reported_at integer, occurred_at integer, lat real,
     lng real, claimed_by text, claim_name text, claimed_until integer, search text`,
  ),
  table('desk_counts', 'status, origin, severity', `status text, origin text, severity integer, entries integer`),
]
