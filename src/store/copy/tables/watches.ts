import { type CopiedTable, table } from './table.ts'

/** Watches, their deliveries, and the processes that hold leases. */
export const WATCHES_TABLES: readonly CopiedTable[] = [
  table('watch_head', 'single', `single boolean, revision integer, pruned_revision integer, resent integer`, {
    initial: [[true, 0, 0, 0]],
  }),
  table(
    'watches',
    'id',
    `id text, account_id text, name text, url text, host text, description text, events text,
     status text, disabled_reason text, secrets text, created_at integer, updated_at integer,
     created_seq integer, revision integer, canonical_filter text, filter text, headers text,
     channel text, schedule text, filter_seq integer`,
  ),
  table(
    'watch_progress',
    'watch_id',
    `watch_id text, sequence integer, failing_since integer, failures text, warnings integer,
     resumed_at integer, seen_at integer`,
  ),
  table('alerts', 'watch_id', `watch_id text, recipient_hash text, created_at integer, confirmed_at integer`),
  table('alert_requests', 'recipient_hash', `recipient_hash text, asked_at integer`),
  table('watch_areas', 'watch_id', `watch_id text, area_id text`),
  table('watch_site_lists', 'watch_id', `watch_id text, list_id text`),
  table('removed_watches', 'id', `id text, revision integer, emptied boolean, emptied_at integer`),
  table('fan_out', 'single', `single boolean, seq integer, after_watch_id text, owner text, lease_until integer`, {
    initial: [[true, 0, null, null, 0]],
  }),
  table(
    'deliveries',
    'id',
    `id text, watch_id text, event_seq integer, sequence integer, kind text, watch_name text,
     host text, critical boolean, status text, attempts integer, tries integer, due_at integer,
     lease_owner text, created_at integer, finished_at integer, test boolean, postponed boolean,
     test_incident_id text, resent integer, severity text`,
  ),
  table(
    'attempts',
    'delivery_id, number',
    `delivery_id text, number integer, at integer, duration integer, outcome text,
     status_code integer, answer text, error text, content_seq integer`,
  ),
  table('push_keys', 'single', `single integer, public_key text, private_key text`),
  table('owners', 'owner', `owner text, beats integer`),
]
