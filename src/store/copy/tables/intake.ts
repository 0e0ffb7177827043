import { type CopiedTable, table } from './table.ts'

/** Places, news sources and tips. */
export const INTAKE_TABLES: readonly CopiedTable[] = [
  table('gazetteer_head', 'single', `single boolean, revision integer`, { initial: [[true, 0]] }),
  table(
    'gazetteer',
    'id',
    `id text, source text, source_id text, name text, key text, aliases text, kind text, lat real,
     lng real, population integer, radius_km real, removed boolean, revision integer,
     updated_at integer`,
  ),
  table(
    'staged_places',
    'import_id, id',
    `import_id text, id text, source text, source_id text, name text, key text, aliases text,
     kind text, lat real, lng real, population integer, radius_km real, updated_at integer`,
  ),
  table(
    'sources',
    'id',
    `id text, kind text, url text, url_key text, publisher text, every_minutes integer,
     paused boolean, created_at integer, due_at integer, polling text, items integer, queued integer,
     proposed integer`,
  ),
  table('source_poller', 'single', `single boolean, owner text, lease_until integer`, { initial: [[true, null, 0]] }),
  table(
    'source_items',
    'id',
    `id text, source_id text, state text, title text, url text, url_key text, published_at integer,
     first_seen_at integer, last_seen_at integer, fingerprint text, gist text, duplicate_of text`,
  ),
  table('source_item_bands', 'band, item_id', `band integer, item_id text`),
  table('source_item_incidents', 'item_id, incident_id, role', `incident_id text, item_id text, role text`),
  table(
    'proposed_sources',
    'id',
    `id text, incident_id text, item_id text, state text, proposed_at integer, decided_at integer,
     score real, content text`,
  ),
  table('unplaced_stories', 'item_id', `item_id text, publisher text, text text, found_at integer`),
  table(
    'tips',
    'reference_hash',
    `reference_hash text, incident_id text, received_at integer, contact text, additions integer`,
  ),
  table('tip_submissions', 'challenge_hash', `challenge_hash text, fingerprint text, at integer`),
  table('tip_secret', 'single', `single integer, secret text`),
]
