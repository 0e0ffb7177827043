// Written by `npm run generate:client` from src/api/contract: change the contract instead.

/** What can happen; `feed.taxonomy()` describes each. */
export type IncidentType =
  | 'kidnapping'
  | 'mass_abduction'
  | 'hostage_taking'
  | 'hostage_release'
  | 'armed_robbery'
  | 'highway_robbery'
  | 'cattle_rustling'
  | 'homicide'
  | 'assassination'
  | 'banditry'
  | 'insurgent_attack'
  | 'explosion'
  | 'military_operation'
  | 'attack_on_security_forces'
  | 'separatist_violence'
  | 'communal_clash'
  | 'farmer_herder_clash'
  | 'sectarian_violence'
  | 'cult_clash'
  | 'gang_violence'
  | 'political_violence'
  | 'protest'
  | 'riot'
  | 'mob_violence'
  | 'piracy'
  | 'pipeline_vandalism'
  | 'infrastructure_attack'

/** The categories of types. */
export type IncidentCategory =
  | 'abduction'
  | 'crime'
  | 'armed_conflict'
  | 'communal'
  | 'gang'
  | 'civil_unrest'
  | 'maritime'
  | 'infrastructure'

/** From least to worst. */
export type Severity =
  | 'low'
  | 'medium'
  | 'high'
  | 'critical'

/** The members of an incident that `fields` may name. */
export type IncidentField =
  | 'id'
  | 'type'
  | 'category'
  | 'severity'
  | 'state'
  | 'lga'
  | 'lat'
  | 'lng'
  | 'location'
  | 'confidence'
  | 'confidence_reasons'
  | 'summary'
  | 'sources'
  | 'dataset'
  | 'attribution'
  | 'casualties'
  | 'casualties_reported'
  | 'occurred_at'
  | 'occurred_until'
  | 'time_precision'
  | 'reported_at'
  | 'confirmed_at'
  | 'published_at'
  | 'updated_at'
  | 'status'
  | 'version'

/** The codes of the problems that the service answers with. */
export type ErrorCode =
  | 'merged'
  | 'invalid_parameter'
  | 'too_many_values'
  | 'invalid_cursor'
  | 'cursor_of_another_query'
  | 'malformed_request'
  | 'malformed_json'
  | 'missing_key'
  | 'malformed_key'
  | 'mistyped_key'
  | 'unknown_key'
  | 'revoked_key'
  | 'expired_key'
  | 'session_ended'
  | 'passkey_refused'
  | 'secret_key_in_url'
  | 'account_blocked'
  | 'insufficient_scope'
  | 'cross_origin_request'
  | 'origin_not_allowed'
  | 'signup_closed'
  | 'mail_not_set_up'
  | 'not_found'
  | 'unknown_link'
  | 'outside_nigeria'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'request_timeout'
  | 'idempotency_key_in_use'
  | 'too_many_keys'
  | 'too_many_passkeys'
  | 'source_exists'
  | 'too_many_sources'
  | 'account_exists'
  | 'has_desk_role'
  | 'last_key'
  | 'last_admin'
  | 'not_in_this_state'
  | 'claimed_by_another'
  | 'changed_since'
  | 'not_undoable'
  | 'challenge_used'
  | 'too_many_additions'
  | 'too_many_places'
  | 'name_taken'
  | 'area_in_use'
  | 'too_many_areas'
  | 'sites_in_use'
  | 'too_many_site_lists'
  | 'too_many_watches'
  | 'too_many_alerts'
  | 'not_a_webhook'
  | 'channel_unavailable'
  | 'address_not_confirmed'
  | 'code_needed'
  | 'watch_not_active'
  | 'not_redeliverable'
  | 'too_many_secrets'
  | 'answer_redacted'
  | 'used_link'
  | 'expired_link'
  | 'retracted'
  | 'position_lost'
  | 'stale_version'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'range_not_satisfiable'
  | 'invalid_body'
  | 'too_much_work'
  | 'idempotency_key_reused'
  | 'version_required'
  | 'rate_limited'
  | 'too_many_streams'
  | 'headers_too_large'
  | 'internal'
  | 'starting'
  | 'busy'
  | 'streams_full'
  | 'mail_unavailable'
  | 'store_full'
  | 'store_unavailable'

/** The parameters of “List incidents”. */
export interface ListIncidentsQuery {
  /** States by name, ISO code or known alias, in any case. Up to 100 values. */
  state?: string | readonly string[] | undefined
  /** Local government areas by name, code or known alias. A name that exists in two states needs `state`. Up to 100 values. */
  lga?: string | readonly string[] | undefined
  /** Incident types. Up to 100 values. */
  type?: IncidentType | readonly IncidentType[] | undefined
  /** Categories of types. Up to 100 values. */
  category?: IncidentCategory | readonly IncidentCategory[] | undefined
  /** Severities. Up to 100 values. */
  severity?: Severity | readonly Severity[] | undefined
  /** This severity or worse. */
  min_severity?: Severity | undefined
  /** The same as `min_confidence`. */
  confidence?: number | undefined
  /** Minimum confidence, from 0 to 1. */
  min_confidence?: number | undefined
  /** Maximum confidence, from 0 to 1. */
  max_confidence?: number | undefined
  /** Published within this duration: a count and `m` (minutes), `h`, `d` or `w`; or an RFC 3339 time. */
  since?: string | undefined
  /** Published at or after this RFC 3339 time or date (UTC). Not together with `since`. */
  from?: string | undefined
  /** Published before this RFC 3339 time or date (UTC). Not together with `since`. */
  to?: string | undefined
  /** Happened at or after this RFC 3339 time or date (UTC). */
  occurred_from?: string | undefined
  /** Happened before this RFC 3339 time or date (UTC). */
  occurred_to?: string | undefined
  /** Imported from these data sets, such as `ucdp`; `none` for incidents that come from no data set. Up to 100 values. */
  dataset?: string | readonly string[] | undefined
  /** Words, up to 8, each of which must begin a word of the summary. Case and accents do not count: `kidnap jemaa` finds "Kidnappers in Jema'a". */
  q?: string | undefined
  /** Within this box: west,south,east,north in degrees. */
  bbox?: string | undefined
  /** Within `radius_km` of this point: lat,lng. */
  near?: string | undefined
  /** The distance from `near`, up to 500. */
  radius_km?: number | undefined
  /** Within a polygon, route or circle that your account has saved (`POST /v1/areas`), by its id. Not together with `near`, `polygon` or `route`, and not with a publishable key. */
  area?: string | undefined
  /** Within the radius of a site in a list that your account has saved (`POST /v1/sites`), by its id. Not together with `area`, `near`, `polygon` or `route`, and not with a publishable key. */
  sites?: string | undefined
  /** The order by `published_at`. */
  order?: 'newest' | 'oldest' | undefined
  /** Entries per page, from 1 to 1000. Default: 50. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page: opaque, and bound to its filters and order. */
  cursor?: string | undefined
  /** Overrides the `Accept` header. */
  format?: 'json' | 'geojson' | 'csv' | 'ndjson' | undefined
  /** Only these members of each incident, and `id`. In CSV and GeoJSON they are the columns that the members become; a feature keeps its geometry. */
  fields?: IncidentField | readonly IncidentField[] | undefined
}

/** The parameters of “Read one incident”. */
export interface ReadIncidentQuery {
  /** Only these members, and `id`. */
  fields?: IncidentField | readonly IncidentField[] | undefined
}

/** What “Read an incident's corrections” answers. */
export interface ListCorrectionsAnswer {
  data: readonly Correction[]
}

/** The parameters of “Count incidents and casualties”. */
export interface ReadStatisticsQuery {
  /** The groups to count by: one, or two separated by a comma, of which one may be a unit of time. Times are by `published_at`, in `time_zone`; weeks begin on Monday (ISO 8601). */
  group_by: 'state' | 'lga' | 'type' | 'category' | 'severity' | 'hour' | 'day' | 'week' | 'month' | 'year' | readonly ('state' | 'lga' | 'type' | 'category' | 'severity' | 'hour' | 'day' | 'week' | 'month' | 'year')[]
  /** The time zone in which hours, days, weeks, months and years begin: `UTC` (the default) or `Africa/Lagos`, which is UTC+1 all year. It applies to `group_by` only: give `from` and `to` with their offset. */
  time_zone?: 'UTC' | 'Africa/Lagos' | undefined
  /** States by name, ISO code or known alias, in any case. Up to 100 values. */
  state?: string | readonly string[] | undefined
  /** Local government areas by name, code or known alias. A name that exists in two states needs `state`. Up to 100 values. */
  lga?: string | readonly string[] | undefined
  /** Incident types. Up to 100 values. */
  type?: IncidentType | readonly IncidentType[] | undefined
  /** Categories of types. Up to 100 values. */
  category?: IncidentCategory | readonly IncidentCategory[] | undefined
  /** Severities. Up to 100 values. */
  severity?: Severity | readonly Severity[] | undefined
  /** This severity or worse. */
  min_severity?: Severity | undefined
  /** The same as `min_confidence`. */
  confidence?: number | undefined
  /** Minimum confidence, from 0 to 1. */
  min_confidence?: number | undefined
  /** Maximum confidence, from 0 to 1. */
  max_confidence?: number | undefined
  /** Published within this duration: a count and `m` (minutes), `h`, `d` or `w`; or an RFC 3339 time. */
  since?: string | undefined
  /** Published at or after this RFC 3339 time or date (UTC). Not together with `since`. */
  from?: string | undefined
  /** Published before this RFC 3339 time or date (UTC). Not together with `since`. */
  to?: string | undefined
  /** Happened at or after this RFC 3339 time or date (UTC). */
  occurred_from?: string | undefined
  /** Happened before this RFC 3339 time or date (UTC). */
  occurred_to?: string | undefined
  /** Imported from these data sets, such as `ucdp`; `none` for incidents that come from no data set. Up to 100 values. */
  dataset?: string | readonly string[] | undefined
  /** Words, up to 8, each of which must begin a word of the summary. Case and accents do not count: `kidnap jemaa` finds "Kidnappers in Jema'a". */
  q?: string | undefined
  /** Within this box: west,south,east,north in degrees. */
  bbox?: string | undefined
  /** Within `radius_km` of this point: lat,lng. */
  near?: string | undefined
  /** The distance from `near`, up to 500. */
  radius_km?: number | undefined
  /** Within a polygon, route or circle that your account has saved (`POST /v1/areas`), by its id. Not together with `near`, `polygon` or `route`, and not with a publishable key. */
  area?: string | undefined
  /** Within the radius of a site in a list that your account has saved (`POST /v1/sites`), by its id. Not together with `area`, `near`, `polygon` or `route`, and not with a publishable key. */
  sites?: string | undefined
}

/** The parameters of “Compare recent counts with what would be usual”. */
export interface ReadTrendsQuery {
  /** Compares each value of this group; without it, everything that matches counts together. */
  group_by?: 'state' | 'lga' | 'type' | 'category' | 'severity' | undefined
  /** Returns these values of the group only, by name or code. All are compared all the same, so `verdict` is that of the whole answer. Up to 100 values. */
  only?: string | readonly string[] | undefined
  /** Weeks (from Monday) or months, of `occurred_at` in `time_zone`. */
  period: 'week' | 'month'
  /** How many periods, from 1 to 12; the last is the one that contains `at`. Default: 2, the running one and the one before. */
  periods?: number | undefined
  /** An RFC 3339 time or date (UTC) in the last period; default: now. Counts are those known today, also for the past. */
  at?: string | undefined
  /** The time zone in which weeks and months begin: `UTC` (the default) or `Africa/Lagos` (UTC+1). */
  time_zone?: 'UTC' | 'Africa/Lagos' | undefined
  /** States by name, ISO code or known alias, in any case. Up to 100 values. */
  state?: string | readonly string[] | undefined
  /** Local government areas by name, code or known alias. A name that exists in two states needs `state`. Up to 100 values. */
  lga?: string | readonly string[] | undefined
  /** Incident types. Up to 100 values. */
  type?: IncidentType | readonly IncidentType[] | undefined
  /** Categories of types. Up to 100 values. */
  category?: IncidentCategory | readonly IncidentCategory[] | undefined
  /** Severities. Up to 100 values. */
  severity?: Severity | readonly Severity[] | undefined
  /** This severity or worse. */
  min_severity?: Severity | undefined
  /** The same as `min_confidence`. */
  confidence?: number | undefined
  /** Minimum confidence, from 0 to 1. */
  min_confidence?: number | undefined
  /** Maximum confidence, from 0 to 1. */
  max_confidence?: number | undefined
  /** Imported from these data sets, such as `ucdp`; `none` for incidents that come from no data set. Up to 100 values. */
  dataset?: string | readonly string[] | undefined
  /** Words, up to 8, each of which must begin a word of the summary. Case and accents do not count: `kidnap jemaa` finds "Kidnappers in Jema'a". */
  q?: string | undefined
  /** Within this box: west,south,east,north in degrees. */
  bbox?: string | undefined
  /** Within `radius_km` of this point: lat,lng. */
  near?: string | undefined
  /** The distance from `near`, up to 500. */
  radius_km?: number | undefined
  /** Within a polygon, route or circle that your account has saved (`POST /v1/areas`), by its id. Not together with `near`, `polygon` or `route`, and not with a publishable key. */
  area?: string | undefined
  /** Within the radius of a site in a list that your account has saved (`POST /v1/sites`), by its id. Not together with `area`, `near`, `polygon` or `route`, and not with a publishable key. */
  sites?: string | undefined
}

/** The parameters of “Keep a copy up to date”. */
export interface ListChangesQuery {
  /** The last `seq` that you have; 0 or no value starts at the beginning. */
  after?: number | undefined
  /** Entries per page, from 1 to 1000. Default: 50. */
  limit?: number | undefined
}

/** The parameters of “Stream incidents as they happen”. */
export interface ReadStreamQuery {
  /** States by name, ISO code or known alias, in any case. Up to 100 values. */
  state?: string | readonly string[] | undefined
  /** Local government areas by name, code or known alias. A name that exists in two states needs `state`. Up to 100 values. */
  lga?: string | readonly string[] | undefined
  /** Incident types. Up to 100 values. */
  type?: IncidentType | readonly IncidentType[] | undefined
  /** Categories of types. Up to 100 values. */
  category?: IncidentCategory | readonly IncidentCategory[] | undefined
  /** Severities. Up to 100 values. */
  severity?: Severity | readonly Severity[] | undefined
  /** This severity or worse. */
  min_severity?: Severity | undefined
  /** The same as `min_confidence`. */
  confidence?: number | undefined
  /** Minimum confidence, from 0 to 1. */
  min_confidence?: number | undefined
  /** Maximum confidence, from 0 to 1. */
  max_confidence?: number | undefined
  /** Within this box: west,south,east,north in degrees. */
  bbox?: string | undefined
  /** Within `radius_km` of this point: lat,lng. */
  near?: string | undefined
  /** The distance from `near`, up to 500. */
  radius_km?: number | undefined
  /** Within a polygon, route or circle that your account has saved (`POST /v1/areas`), by its id. Not together with `near`, `polygon` or `route`, and not with a publishable key. */
  area?: string | undefined
  /** Within the radius of a site in a list that your account has saved (`POST /v1/sites`), by its id. Not together with `area`, `near`, `polygon` or `route`, and not with a publishable key. */
  sites?: string | undefined
  /** The last `seq` that you have, such as `meta.seq` of a list; a `Last-Event-ID` header takes precedence. Without either, the stream starts with new events. */
  last_event_id?: number | undefined
}

/** What “List the months of the archive” answers. */
export interface ListMonthsAnswer {
  data: readonly ArchiveMonth[]
  /** Whether every size and hash is known. */
  complete: boolean
  meta: {
    /** When the last event included in this response was committed. */
    as_of: string
    /** The number of that event in the log. */
    seq: number
    newest_published_at: string | null
    /** When this node was last in step with the log: it contained every event committed before. Normally a second ago at most. */
    in_step_at: string
  }
}

/** What “List the states” answers. */
export interface ListStatesAnswer {
  data: readonly State[]
}

/** The parameters of “List the local government areas”. */
export interface ListLgasQuery {
  /** Only LGAs of these states; names, ISO codes or known aliases. */
  state?: string | readonly string[] | undefined
}

/** What “List the local government areas” answers. */
export interface ListLgasAnswer {
  data: readonly Lga[]
}

/** The parameters of “Find the state and LGA of a point”. */
export interface LocatePointQuery {
  /** Latitude in decimal degrees. */
  lat: number
  /** Longitude in decimal degrees. */
  lng: number
}

/** The parameters of “Find a place by its name”. */
export interface SearchPlacesQuery {
  /** The place, as a person would write it; up to 200 characters. */
  q: string
  /** Only within this state. */
  state?: string | undefined
  /** Only within this LGA. */
  lga?: string | undefined
}

/** What “Find a place by its name” answers. */
export interface SearchPlacesAnswer {
  data: readonly FoundPlace[]
  /** `one`: the first is meant; `several`: the first or one with `rival`; `similar`: only similar names are known; `none`. */
  meaning: 'one' | 'several' | 'similar' | 'none'
}

/** What “Watch for incidents” takes. */
export interface CreateWatchBody {
  /** Unique in your account; sent as `watch` in messages. */
  name: string
  channel?: {
    /** Default: `webhook`, a signed POST for a program. The others write messages that people read; `email` to the confirmed address of your account. It cannot be changed later. */
    kind: 'webhook' | 'email' | 'slack' | 'discord' | 'teams' | 'telegram' | 'webpush'
    /** Of messages for people: English, Hausa, Yorùbá, Igbo or Naijá. What editors wrote stays as it is. Default: `en`; a change that does not name it keeps it. */
    language?: 'en' | 'ha' | 'yo' | 'ig' | 'pcm' | undefined
    /** For `slack`, `discord` and `teams`: the address of a webhook, as the channel shows it. It is a secret, and never shown again. */
    url?: string | undefined
    /** For `telegram`: the number of the chat, or `@name` of a public one. */
    chat_id?: string | undefined
    /** For `telegram`: the code that the bot wrote into the chat after a request without one. */
    code?: string | undefined
    /** For `webpush`. */
    subscription?: BrowserSubscription | undefined
  } | undefined
  /** The https address that receives the POST requests. Needed for webhooks, and only for these. */
  url?: string | undefined
  filter?: WatchFilter | undefined
  /** The events to send. Default: `["incident.created"]` for webhooks, all three if the filter names an `incident`. Messages for people are always sent for all three: whoever was told of an incident is told of its correction and its withdrawal. */
  events?: readonly ('incident.created' | 'incident.updated' | 'incident.retracted')[] | undefined
  headers?: Readonly<Record<string, string>> | null | undefined
  /** Collects messages. What is retracted before its digest is not told at all. */
  digest?: {
    /** `none`: at once. `hourly`: at the full hour. `daily`: once a day. Messages for people are one message then; webhooks are sent one by one, as ever. */
    every: 'none' | 'hourly' | 'daily'
    hour?: number | null | undefined
    break_severity?: Severity | null | undefined
  } | undefined
  quiet_hours?: {
    /** The beginning, as clocks in Lagos show it. */
    from: string
    /** The end, on the next day if it is earlier than the beginning. */
    until: string
    break_severity?: Severity | null | undefined
  } | null | undefined
  description?: string | null | undefined
}

/** The parameters of “List your watches”. */
export interface ListWatchesQuery {
  /** Watches per page, from 1 to 100. Default: 50. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined
}

/** What “List your watches” answers. */
export interface ListWatchesAnswer {
  data: readonly Watch[]
  has_more: boolean
  next_cursor: string | null
}

/** What “Change, pause or resume a watch” takes. */
export interface ChangeWatchBody {
  /** Unique in your account; sent as `watch` in messages. */
  name?: string | undefined
  channel?: {
    /** Default: `webhook`, a signed POST for a program. The others write messages that people read; `email` to the confirmed address of your account. It cannot be changed later. */
    kind: 'webhook' | 'email' | 'slack' | 'discord' | 'teams' | 'telegram' | 'webpush'
    /** Of messages for people: English, Hausa, Yorùbá, Igbo or Naijá. What editors wrote stays as it is. Default: `en`; a change that does not name it keeps it. */
    language?: 'en' | 'ha' | 'yo' | 'ig' | 'pcm' | undefined
    /** For `slack`, `discord` and `teams`: the address of a webhook, as the channel shows it. It is a secret, and never shown again. */
    url?: string | undefined
    /** For `telegram`: the number of the chat, or `@name` of a public one. */
    chat_id?: string | undefined
    /** For `telegram`: the code that the bot wrote into the chat after a request without one. */
    code?: string | undefined
    /** For `webpush`. */
    subscription?: BrowserSubscription | undefined
  } | undefined
  /** The https address that receives the POST requests. Needed for webhooks, and only for these. */
  url?: string | undefined
  filter?: WatchFilter | undefined
  /** The events to send. Default: `["incident.created"]` for webhooks, all three if the filter names an `incident`. Messages for people are always sent for all three: whoever was told of an incident is told of its correction and its withdrawal. */
  events?: readonly ('incident.created' | 'incident.updated' | 'incident.retracted')[] | undefined
  headers?: Readonly<Record<string, string>> | null | undefined
  /** Collects messages. What is retracted before its digest is not told at all. */
  digest?: {
    /** `none`: at once. `hourly`: at the full hour. `daily`: once a day. Messages for people are one message then; webhooks are sent one by one, as ever. */
    every: 'none' | 'hourly' | 'daily'
    hour?: number | null | undefined
    break_severity?: Severity | null | undefined
  } | undefined
  quiet_hours?: {
    /** The beginning, as clocks in Lagos show it. */
    from: string
    /** The end, on the next day if it is earlier than the beginning. */
    until: string
    break_severity?: Severity | null | undefined
  } | null | undefined
  description?: string | null | undefined
  status?: 'active' | 'paused' | undefined
}

/** What “Test a filter on past incidents” takes. */
export interface PreviewWatchBody {
  filter: WatchFilter
  /** Default: 30. */
  days?: number | undefined
}

/** What “Test a filter on past incidents” answers. */
export interface PreviewWatchAnswer {
  days: number
  matches: number
  a_day: number
  /** At most five. */
  newest: readonly Incident[]
}

/** What “Send a test message” takes. */
export interface TestWatchBody {
  /** The event to send. Default: the first that the watch lists. */
  event?: 'incident.created' | 'incident.updated' | 'incident.retracted' | undefined
}

/** What “Send a test message” answers. */
export interface TestWatchAnswer {
  /** The id of the delivery in the log. */
  id: string
  delivered: boolean
  /** The result in words. */
  message: string
  status_code: number | null
  duration_ms: number
  answer: string | null
}

/** What “Replace the secret” takes. */
export interface RotateSecretBody {
  /** Whether the old secrets end now. Default: false. */
  revoke?: boolean | undefined
}

/** What “Send pending messages now” answers. */
export interface RetryWatchAnswer {
  /** Deliveries that were waiting and are sent now. */
  pending: number
}

/** What “Resend failed and missed messages” takes. */
export interface RecoverWatchBody {
  /** A span such as `24h`, or an RFC 3339 time; up to 30 days ago. */
  since: string
}

/** What “Resend failed and missed messages” answers. */
export interface RecoverWatchAnswer {
  /** Deliveries that are on their way already; `retry` sends them now. */
  pending: number
  /** Failed deliveries that are sent again. */
  failed: number
  /** Missed events that are sent for the first time. */
  missed: number
}

/** What “Save an area” takes. */
export interface CreateAreaBody {
  /** Unique among the areas of your account. */
  name: string
  polygon?: Region | undefined
  route?: Route | undefined
  /** A point and the distance from it. */
  circle?: {
    lat: number
    lng: number
    radius_km: number
  } | undefined
}

/** The parameters of “List your areas”. */
export interface ListAreasQuery {
  /** Areas per page, from 1 to 100. Default: 50. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined
}

/** What “List your areas” answers. */
export interface ListAreasAnswer {
  data: readonly Area[]
  has_more: boolean
  next_cursor: string | null
}

/** What “Rename or redraw an area” takes. */
export interface ChangeAreaBody {
  /** Unique among the areas of your account. */
  name?: string | undefined
  polygon?: Region | undefined
  route?: Route | undefined
  /** A point and the distance from it. */
  circle?: {
    lat: number
    lng: number
    radius_km: number
  } | undefined
}

/** The parameters of “Save a list of sites”. */
export interface CreateSitesQuery {
  /** The name of the list, if the body is CSV or GeoJSON, which have none. */
  name?: string | undefined
}

/** What “Save a list of sites” takes. */
export interface CreateSitesBody {
  /** Unique among the site lists of your account. */
  name: string
  sites: readonly Site[]
}

/** The parameters of “List your site lists”. */
export interface ListSitesQuery {
  /** Lists per page, from 1 to 100. Default: 50. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined
}

/** What “List your site lists” answers. */
export interface ListSitesAnswer {
  data: readonly SiteList[]
  has_more: boolean
  next_cursor: string | null
}

/** The parameters of “Read a list with a page of its sites”. */
export interface ReadSitesQuery {
  /** Sites per page, from 1 to 1000. Default: 50. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined
}

/** What “Read a list with a page of its sites” answers. */
export interface ReadSitesAnswer {
  list: SiteList
  data: readonly Site[]
  has_more: boolean
  next_cursor: string | null
}

/** The parameters of “Replace the sites of a list”. */
export interface ReplaceSitesQuery {
  /** The name of the list, if the body is CSV or GeoJSON, which have none. */
  name?: string | undefined
}

/** What “Replace the sites of a list” takes. */
export interface ReplaceSitesBody {
  /** Unique among the site lists of your account. */
  name: string
  sites: readonly Site[]
}

/** The parameters of “List the deliveries of a watch”. */
export interface ListDeliveriesQuery {
  /** Only deliveries with this status. */
  status?: 'pending' | 'delivered' | 'failed' | 'cancelled' | undefined
  /** Only messages of this event. */
  event?: 'incident.created' | 'incident.updated' | 'incident.retracted' | undefined
  /** Only messages about this incident; no tests. */
  incident?: string | undefined
  /** Only messages of events, and tests sent, since then: a span such as `24h`, or a time. */
  since?: string | undefined
  /** Only messages of events, and tests sent, at that time or later. */
  from?: string | undefined
  /** Only messages of events, and tests sent, before that time. */
  to?: string | undefined
  /** Deliveries per page, from 1 to 100. Default: 50. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined
}

/** What “List the deliveries of a watch” answers. */
export interface ListDeliveriesAnswer {
  data: readonly Delivery[]
  has_more: boolean
  next_cursor: string | null
}

/** The parameters of “List the deliveries of all your watches”. */
export interface ListAllDeliveriesQuery {
  /** Only deliveries of these watches. */
  watch?: string | readonly string[] | undefined
  /** Only deliveries with this status. */
  status?: 'pending' | 'delivered' | 'failed' | 'cancelled' | undefined
  /** Only messages of this event. */
  event?: 'incident.created' | 'incident.updated' | 'incident.retracted' | undefined
  /** Only messages about this incident; no tests. */
  incident?: string | undefined
  /** Only messages of events, and tests sent, since then: a span such as `24h`, or a time. */
  since?: string | undefined
  /** Only messages of events, and tests sent, at that time or later. */
  from?: string | undefined
  /** Only messages of events, and tests sent, before that time. */
  to?: string | undefined
  /** Deliveries per page, from 1 to 100. Default: 50. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined
}

/** What “List the deliveries of all your watches” answers. */
export interface ListAllDeliveriesAnswer {
  data: readonly Delivery[]
  has_more: boolean
  next_cursor: string | null
}

/** What “Get a key” takes. */
export interface CreateKeyBody {
  /** Required if the request has no key. */
  email?: string | undefined
  name?: string | null | undefined
  /** Default: `live`. */
  kind?: 'live' | 'publishable' | undefined
  /** Only scopes that the creating key has itself. Default: `read` and `watch`; of a publishable key, `read`. */
  scopes?: readonly ('read' | 'watch' | 'report' | 'review' | 'admin' | 'operate')[] | undefined
  /** For publishable keys, such as `https://example.org`. Stored as browsers send them: lower case, punycode, no default port, no slash at the end. */
  origins?: readonly string[] | undefined
  expires_at?: string | null | undefined
}

/** The parameters of “List the keys of the account”. */
export interface ListKeysQuery {
  /** Keys per page, from 1 to 100. Default: 50. */
  limit?: number | undefined
  /** `next_cursor` of the page before. */
  cursor?: string | undefined
}

/** What “Change the name or the origins of a key” takes. */
export interface ChangeKeyBody {
  name?: string | null | undefined
  /** For publishable keys, such as `https://example.org`. Stored as browsers send them: lower case, punycode, no default port, no slash at the end. */
  origins?: readonly string[] | undefined
}

/** The parameters of “Revoke a key”. */
export interface RevokeKeyQuery {
  /** `last` revokes the last live key of the account too. */
  confirm?: 'last' | undefined
}

/** `ArchiveMonth` as the API has it. */
export interface ArchiveMonth {
  /** The month of `published_at` (UTC), such as `2024-05`. */
  month: string
  incidents: number
  files: {
    ndjson: {
      /** The address, such as `/v1/archive/2024-05.ndjson`. */
      url: string
      bytes: number | null
      sha256: string | null
    }
    csv: {
      /** The address, such as `/v1/archive/2024-05.csv`. */
      url: string
      bytes: number | null
      sha256: string | null
    }
    geojson: {
      /** The address, such as `/v1/archive/2024-05.geojson`. */
      url: string
      bytes: number | null
      sha256: string | null
    }
  }
}

/** A saved area. It has one of `polygon`, `route` and `circle`. */
export interface Area {
  id: string
  /** Unique among the areas of your account. */
  name: string
  /** The member that has the shape. */
  kind: 'polygon' | 'route' | 'circle'
  polygon?: Region | undefined
  route?: Route | undefined
  /** A point and the distance from it. */
  circle?: {
    lat: number
    lng: number
    radius_km: number
  } | undefined
  /** How many of your watches use the area. */
  watches: number
  /** When the area was saved. */
  created_at: string
  /** When the area was last changed. */
  updated_at: string
}

/** `Attempt` as the API has it. */
export interface Attempt {
  number: number
  /** When the attempt began. */
  at: string
  duration_ms: number
  /** `refused`: a response other than 2xx; `blocked`: an address that is not allowed. */
  outcome: 'delivered' | 'refused' | 'timeout' | 'unreachable' | 'blocked'
  status_code: number | null
  answer: string | null
  error: string | null
  content_seq: number | null
  /** The request headers. `***` stands for the signature, which is not stored, and for the values of your own headers: those that the watch has now, also where an earlier attempt had others. */
  headers: Readonly<Record<string, string>>
}

/** What `PushSubscription.toJSON()` gives in the browser that is to show notifications; it subscribes with the key of `GET /v1/push`. It is a secret, and never shown again. */
export interface BrowserSubscription {
  /** The address that the push service of the browser gave it. */
  endpoint: string
  keys: {
    /** The browser's public key, in base64url. */
    p256dh: string
    /** Its authentication secret, in base64url. */
    auth: string
  }
  expirationTime?: number | null | undefined
}

/** An unknown figure is null, never 0. */
export interface Casualties {
  killed: number | null
  injured: number | null
  abducted: number | null
}

/** `Change` as the API has it. */
export interface Change {
  /** The number of the change. Numbers have no gaps, except one of millions after a restore from a backup. */
  seq: number
  /** `incident.imported` adds history, corrects it or takes it back; it is not sent to watches or streams. */
  event: 'incident.created' | 'incident.updated' | 'incident.retracted' | 'incident.imported'
  /** When the change was committed. */
  at: string
  incident_id: string
  incident: Incident | null
  /** Where the retracted incident went on: the one that it was merged into. */
  merged_into?: string | undefined
  /** True if the change took content out: delete every earlier version of the incident that you keep. */
  redacted?: boolean | undefined
}

/** `ChangeList` as the API has it. */
export interface ChangeList {
  data: readonly Change[]
  /** Send it as `after` to continue, now or later. */
  next_after: number
  /** Whether more changes are available at once. */
  has_more: boolean
  meta: {
    /** When the last event included in this response was committed. */
    as_of: string
    /** The number of that event in the log. */
    seq: number
    newest_published_at: string | null
    /** When this node was last in step with the log: it contained every event committed before. Normally a second ago at most. */
    in_step_at: string
  }
}

/** The sites of a watch within whose radius the incident lies; only if its filter has `sites`. */
export interface ConcernedSites {
  /** The id of the list. */
  id: string
  /** The name of the list. */
  name: string
  /** Nearest first, at most 20; those of a retraction in the order of the list. */
  nearest: readonly {
    name: string
    reference: string | null
    /** Absent in a retraction, which does not repeat where it was. */
    distance_km?: number | undefined
    radius_km: number
  }[]
  /** How many others are concerned. */
  more: number
}

/** `ConfidenceReason` as the API has it. */
export interface ConfidenceReason {
  reason: string
  value: number | string | boolean | null
  /** The amount added to the confidence. */
  weight: number
}

/** `Correction` as the API has it. */
export interface Correction {
  change: 'published' | 'corrected' | 'restored'
  /** The version that the change produced. */
  version: number
  /** When it happened. */
  at: string
  /** The names of the fields that a correction changed. */
  fields: readonly string[]
}

/** `Delivery` as the API has it. */
export interface Delivery {
  id: string
  watch_id: string
  event: 'incident.created' | 'incident.updated' | 'incident.retracted'
  incident_id: string | null
  /** The event's position in the log; of a test message, the last one's. */
  seq: number
  /** The number of the message within the watch; 0 if it is a test. */
  sequence: number
  /** Whether it is a message of the test endpoint. */
  test: boolean
  /** `pending`: sent now, later, or once the watch is resumed; `cancelled`: the incident was retracted before it could be sent. */
  status: 'pending' | 'delivered' | 'failed' | 'cancelled'
  attempts: number
  last_attempt: {
    number: number
    /** When the attempt began. */
    at: string
    duration_ms: number
    /** `refused`: a response other than 2xx; `blocked`: an address that is not allowed. */
    outcome: 'delivered' | 'refused' | 'timeout' | 'unreachable' | 'blocked'
    status_code: number | null
  } | null
  next_attempt_at: string | null
  /** When the delivery was created. */
  created_at: string
  finished_at: string | null
}

/** `DeliveryWithAttempts` as the API has it. */
export interface DeliveryWithAttempts {
  id: string
  watch_id: string
  event: 'incident.created' | 'incident.updated' | 'incident.retracted'
  incident_id: string | null
  /** The event's position in the log; of a test message, the last one's. */
  seq: number
  /** The number of the message within the watch; 0 if it is a test. */
  sequence: number
  /** Whether it is a message of the test endpoint. */
  test: boolean
  /** `pending`: sent now, later, or once the watch is resumed; `cancelled`: the incident was retracted before it could be sent. */
  status: 'pending' | 'delivered' | 'failed' | 'cancelled'
  attempts: number
  last_attempt: {
    number: number
    /** When the attempt began. */
    at: string
    duration_ms: number
    /** `refused`: a response other than 2xx; `blocked`: an address that is not allowed. */
    outcome: 'delivered' | 'refused' | 'timeout' | 'unreachable' | 'blocked'
    status_code: number | null
  } | null
  next_attempt_at: string | null
  /** When the delivery was created. */
  created_at: string
  finished_at: string | null
  /** The last 100 attempts, oldest first. */
  log: readonly Attempt[]
  /** The bodies of these attempts: one for each `content_seq`. */
  bodies: readonly MessageBody[]
  next: {
    content_seq: number | null
    version: number
    /** The request headers. `***` stands for the signature, which is not stored, and for the values of your own headers: those that the watch has now, also where an earlier attempt had others. */
    headers: Readonly<Record<string, string>>
    body: string
  } | null
}

/** `FoundPlace` as the API has it. */
export interface FoundPlace {
  name: string
  lat: number
  lng: number
  /** The precision of the point. */
  precision: 'exact' | 'settlement' | 'lga' | 'state'
  /** The place lies within this distance of the point. */
  radius_km: number
  /** How well the place matches the query. */
  score: number
  state: string
  /** The ISO 3166-2 code, such as `NG-KD`. */
  state_code: string
  lga: string | null
  lga_code: string | null
  /** What the place was matched by, and how. */
  matched: {
    /** `exact` by its name, `alias` by another name of the place, `similar` by similar letters only. */
    how: 'exact' | 'alias' | 'similar'
    /** The words of the query. */
    text: string
  }
  /** What the query says of the name: `near` it, `between` it and another, on a `road` named after it, in a `part` of it (a village in …), `away` from it, or `at` it. All but `at` widen the radius. */
  relation: 'at' | 'near' | 'between' | 'road' | 'part' | 'away'
  /** The query may mean this place as well as the first. */
  rival: boolean
}

/** `Incident` as the API has it. */
export interface Incident {
  /** Opaque. */
  id: string
  /** What happened; see `GET /v1/taxonomy`. */
  type: IncidentType
  category: IncidentCategory
  severity: Severity
  /** The name of the Nigerian state. */
  state: string
  lga: string | null
  /** Latitude in decimal degrees. */
  lat: number
  /** Longitude in decimal degrees. */
  lng: number
  location: Location
  /** The confidence of the service in the report. */
  confidence: number
  /** The reasons for the confidence. */
  confidence_reasons: readonly ConfidenceReason[]
  /** One or two sentences of plain text. */
  summary: string
  sources: readonly Source[]
  /** The data set that it was imported from, such as `ucdp`; absent otherwise. */
  dataset?: string | undefined
  /** How the data set asks to be credited; credit it where you publish the incident. */
  attribution?: string | undefined
  casualties: Casualties
  /** The figures of each source, where they are known apart. `casualties` are those that hold. */
  casualties_reported?: readonly ReportedCasualties[] | undefined
  /** When it happened. */
  occurred_at: string
  /** When an event that lasted ended. */
  occurred_until?: string | undefined
  /** The precision of the time. */
  time_precision: 'exact' | 'hour' | 'day' | 'week' | 'month' | 'year'
  /** When it reached the service. */
  reported_at: string
  confirmed_at: string | null
  published_at: string | null
  /** When this version was created. */
  updated_at: string
  status: 'reported' | 'confirmed' | 'retracted' | 'rejected' | 'merged'
  /** The version, which grows with each correction. */
  version: number
}

/** `IncidentCreatedMessage` as the API has it. */
export interface IncidentCreatedMessage {
  event: 'incident.created'
  /** The name of the watch. */
  watch: string
  /** The newest version when the message is sent. */
  incident: Incident
  /** The id of the message, the same at every attempt; also `webhook-id`. */
  id: string
  watch_id: string
  /** Counts the messages of the watch, so that you see a gap; 0 for a test. */
  sequence: number
  /** The number of the event in the log, as in `GET /v1/changes`. */
  seq: number
  /** When the event was committed. */
  created_at: string
  /** True if content was taken out: delete every earlier version of the incident that you keep. */
  redacted?: boolean | undefined
  sites?: ConcernedSites | undefined
  /** True if it is a message of the test endpoint. */
  test?: boolean | undefined
}

/** `IncidentList` as the API has it. */
export interface IncidentList {
  data: readonly Incident[]
  /** Whether there is a next page. */
  has_more: boolean
  next_cursor: string | null
  meta: {
    /** When the last event included in this response was committed. */
    as_of: string
    /** The number of that event in the log. */
    seq: number
    newest_published_at: string | null
    /** When this node was last in step with the log: it contained every event committed before. Normally a second ago at most. */
    in_step_at: string
  }
}

/** The parameters of the list as JSON, and two filters more: `polygon` and `route`. */
export interface IncidentQuery {
  /** States by name, ISO code or known alias, in any case. Up to 100 values. */
  state?: readonly string[] | string | undefined
  /** Local government areas by name, code or known alias. A name that exists in two states needs `state`. Up to 100 values. */
  lga?: readonly string[] | string | undefined
  /** Incident types. Up to 100 values. */
  type?: readonly IncidentType[] | string | undefined
  /** Categories of types. Up to 100 values. */
  category?: readonly IncidentCategory[] | string | undefined
  /** Severities. Up to 100 values. */
  severity?: readonly Severity[] | string | undefined
  /** This severity or worse. */
  min_severity?: Severity | undefined
  /** The same as `min_confidence`. */
  confidence?: number | undefined
  /** Minimum confidence, from 0 to 1. */
  min_confidence?: number | undefined
  /** Maximum confidence, from 0 to 1. */
  max_confidence?: number | undefined
  /** Published within this duration: a count and `m` (minutes), `h`, `d` or `w`; or an RFC 3339 time. */
  since?: string | undefined
  /** Published at or after this RFC 3339 time or date (UTC). Not together with `since`. */
  from?: string | undefined
  /** Published before this RFC 3339 time or date (UTC). Not together with `since`. */
  to?: string | undefined
  /** Happened at or after this RFC 3339 time or date (UTC). */
  occurred_from?: string | undefined
  /** Happened before this RFC 3339 time or date (UTC). */
  occurred_to?: string | undefined
  /** Imported from these data sets, such as `ucdp`; `none` for incidents that come from no data set. Up to 100 values. */
  dataset?: readonly string[] | string | undefined
  /** Words, up to 8, each of which must begin a word of the summary. Case and accents do not count: `kidnap jemaa` finds "Kidnappers in Jema'a". */
  q?: string | undefined
  /** Within this box: west,south,east,north in degrees. */
  bbox?: readonly [number, number, number, number] | string | undefined
  /** Within `radius_km` of this point: lat,lng. */
  near?: readonly [number, number] | string | undefined
  /** The distance from `near`, up to 500. */
  radius_km?: number | undefined
  /** Within a polygon, route or circle that your account has saved (`POST /v1/areas`), by its id. Not together with `near`, `polygon` or `route`, and not with a publishable key. */
  area?: string | undefined
  /** Within the radius of a site in a list that your account has saved (`POST /v1/sites`), by its id. Not together with `area`, `near`, `polygon` or `route`, and not with a publishable key. */
  sites?: string | undefined
  /** The order by `published_at`. */
  order?: 'newest' | 'oldest' | undefined
  /** Entries per page, from 1 to 1000. Default: 50. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page: opaque, and bound to its filters and order. */
  cursor?: string | undefined
  /** Overrides the `Accept` header. */
  format?: 'json' | 'geojson' | 'csv' | 'ndjson' | undefined
  /** Only these members of each incident, and `id`. In CSV and GeoJSON they are the columns that the members become; a feature keeps its geometry. */
  fields?: readonly IncidentField[] | string | undefined
  /** Only incidents in this area. */
  polygon?: Region | undefined
  /** Only incidents near this line. */
  route?: Route | undefined
}

/** `IncidentRetractedMessage` as the API has it. */
export interface IncidentRetractedMessage {
  event: 'incident.retracted'
  /** The name of the watch. */
  watch: string
  /** The newest version when the message is sent. */
  incident: RetractedIncident
  /** The id of the message, the same at every attempt; also `webhook-id`. */
  id: string
  watch_id: string
  /** Counts the messages of the watch, so that you see a gap; 0 for a test. */
  sequence: number
  /** The number of the event in the log, as in `GET /v1/changes`. */
  seq: number
  /** When the event was committed. */
  created_at: string
  /** True if content was taken out: delete every earlier version of the incident that you keep. */
  redacted?: boolean | undefined
  sites?: ConcernedSites | undefined
  /** True if it is a message of the test endpoint. */
  test?: boolean | undefined
}

/** `IncidentUpdatedMessage` as the API has it. */
export interface IncidentUpdatedMessage {
  event: 'incident.updated'
  /** The name of the watch. */
  watch: string
  /** The newest version when the message is sent. */
  incident: Incident
  /** The id of the message, the same at every attempt; also `webhook-id`. */
  id: string
  watch_id: string
  /** Counts the messages of the watch, so that you see a gap; 0 for a test. */
  sequence: number
  /** The number of the event in the log, as in `GET /v1/changes`. */
  seq: number
  /** When the event was committed. */
  created_at: string
  /** True if content was taken out: delete every earlier version of the incident that you keep. */
  redacted?: boolean | undefined
  sites?: ConcernedSites | undefined
  /** True if it is a message of the test endpoint. */
  test?: boolean | undefined
}

/** `IssuedKey` as the API has it. */
export interface IssuedKey {
  /** The id, such as `key_01jd8z0c5x…`; not secret. */
  id: string
  /** `publishable` keys can only read, and may be used in web pages. `session` only in `GET /v1/me`, for somebody who has signed in. */
  kind: 'live' | 'publishable' | 'session'
  name: string | null
  /** The last four characters of the key. */
  hint: string
  /** What the key may do, as far as the role of its account allows. `operate` means `report`, `review` and `admin`. */
  scopes: readonly ('read' | 'watch' | 'report' | 'review' | 'admin' | 'operate')[]
  /** The origins that may use a publishable key; empty allows any. */
  origins: readonly string[]
  /** When the key was issued. */
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  /** Requests with this key within 30 days. */
  requests_last_30_days: number
  /** The key itself. It is shown only once: store it. */
  key: string
  account_id: string
}

/** `Key` as the API has it. */
export interface Key {
  /** The id, such as `key_01jd8z0c5x…`; not secret. */
  id: string
  /** `publishable` keys can only read, and may be used in web pages. `session` only in `GET /v1/me`, for somebody who has signed in. */
  kind: 'live' | 'publishable' | 'session'
  name: string | null
  /** The last four characters of the key. */
  hint: string
  /** What the key may do, as far as the role of its account allows. `operate` means `report`, `review` and `admin`. */
  scopes: readonly ('read' | 'watch' | 'report' | 'review' | 'admin' | 'operate')[]
  /** The origins that may use a publishable key; empty allows any. */
  origins: readonly string[]
  /** When the key was issued. */
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  /** Requests with this key within 30 days. */
  requests_last_30_days: number
}

/** `KeyList` as the API has it. */
export interface KeyList {
  data: readonly Key[]
  has_more: boolean
  next_cursor: string | null
}

/** `Lga` as the API has it. */
export interface Lga {
  /** The code, such as `NG-KD-CHIKUN`. */
  code: string
  name: string
  state: string
  /** The ISO 3166-2 code, such as `NG-KD`. */
  state_code: string
  lat: number
  lng: number
}

/** `LocatedPoint` as the API has it. */
export interface LocatedPoint {
  state: string
  /** The ISO 3166-2 code, such as `NG-KD`. */
  state_code: string
  lga: string
  lga_code: string
  /** `boundary` if the operator has installed boundaries, otherwise `estimated`. */
  lga_basis: 'reported' | 'boundary' | 'estimated'
}

/** `Location` as the API has it. */
export interface Location {
  place: string | null
  /** The precision of the location. */
  precision: 'exact' | 'settlement' | 'lga' | 'state'
  radius_km: number | null
  /** The ISO 3166-2 code, such as `NG-KD`. */
  state_code: string
  lga_code: string | null
  lga_basis: 'reported' | 'boundary' | 'estimated' | null
}

/** `Me` as the API has it. */
export interface Me {
  account: {
    /** The id, such as `acc_01jd8z0c5x…`. */
    id: string
    email: string | null
    /** Whether a mailed link has proved the address. Other mail goes to verified addresses only. */
    email_verified: boolean
    name: string | null
    /** What keys of the account may do at most: a client `read` and `watch`; a reporter also `report`; an editor also `review`; an admin also `admin`. */
    role: 'client' | 'reporter' | 'editor' | 'admin'
    /** `deleted`: its owner has deleted it. Its id is kept, for keys and entries of the audit log that name it. */
    status: 'active' | 'blocked' | 'deleted'
    /** When the account was opened. */
    created_at: string
  } | null
  key: Key
  session: Session | null
  /** What the key or the session may do now, with the role of the account. */
  scopes: readonly ('read' | 'watch' | 'report' | 'review' | 'admin' | 'operate')[]
  limits: {
    requests_per_minute: number
  }
  quotas: Quotas
  usage: {
    day: string
    /** Requests by all keys of the account today (UTC). */
    requests: number
    days: UsageDays
  } | null
}

/** `MessageBody` as the API has it. */
export interface MessageBody {
  content_seq: number | null
  /** The version of the incident in it. */
  version: number
  /** True if content was taken out of the incident since: then this is not what was sent. */
  redacted: boolean
  body: string | null
}

/** Returned if the operator requires e-mail addresses to be confirmed first. */
export interface PendingKey {
  status: 'mailed'
  detail: string
}

/** A problem as in RFC 9457, sent as `application/problem+json`. */
export interface Problem {
  /** A link to the explanation of this kind of problem. */
  type: string
  title: string
  status: number
  /** What is wrong with this request, and what would be right. */
  detail: string
  /** A stable code for programs. */
  code: ErrorCode
  /** Quote it when you ask for help. */
  request_id: string
  errors?: readonly {
    /** The query parameter. */
    parameter?: string | undefined
    /** A JSON Pointer into the body (RFC 6901). */
    pointer?: string | undefined
    message: string
    allowed?: readonly string[] | undefined
    did_you_mean?: readonly string[] | undefined
    /** The places that a name may mean, best first: choose one, and give its state, LGA or point. */
    candidates?: readonly FoundPlace[] | undefined
  }[] | undefined
}

/** `Quota` as the API has it. */
export interface Quota {
  limit: number
  /** Streams: on this node. Others: over all keys and nodes. */
  used: number
  window_seconds: number | null
}

/** Every limit with what is used of it. */
export interface Quotas {
  requests_per_minute?: Quota | undefined
  publishable_requests_per_minute?: Quota | undefined
  keys?: Quota | undefined
  watches?: Quota | undefined
  areas?: Quota | undefined
  site_lists?: Quota | undefined
  streams?: Quota | undefined
  watch_tests_per_minute?: Quota | undefined
  previews_per_minute?: Quota | undefined
  site_uploads_per_minute?: Quota | undefined
}

/** A GeoJSON Polygon or MultiPolygon of up to 1000 positions. */
export type Region = {
  type: 'Polygon'
  coordinates: readonly (readonly (readonly number[])[])[]
  bbox?: readonly number[] | undefined
} | {
  type: 'MultiPolygon'
  coordinates: readonly (readonly (readonly (readonly number[])[])[])[]
  bbox?: readonly number[] | undefined
}

/** `ReportedCasualties` as the API has it. */
export interface ReportedCasualties {
  /** Who gives these figures. */
  source: string
  killed: number | null
  injured: number | null
  abducted: number | null
}

/** Enough to find your copy and to remove it; what was withdrawn is not repeated. */
export interface RetractedIncident {
  id: string
  type: IncidentType
  severity: Severity
  state: string
  lga: string | null
  status: 'retracted' | 'merged'
  version: number
}

/** A line, and the width of the strip around it. */
export interface Route {
  line: readonly (readonly number[])[]
  /** The distance to either side. */
  buffer_km: number
}

/** `Session` as the API has it. */
export interface Session {
  /** The id, such as `ses_01jd8z0c5x…`; not secret. */
  id: string
  /** How the person signed in. */
  method: 'key' | 'link' | 'passkey'
  /** True for the session that made this request. */
  current: boolean
  user_agent: string | null
  key_id: string | null
  /** When the person signed in. */
  created_at: string
  /** When the session was last used, up to a minute late. */
  last_used_at: string
  /** When the session ends unless it is used: 12 hours after the last use, 7 days after signing in. */
  expires_at: string
}

/** A place, and the distance within which its owner wants to hear of incidents. */
export interface Site {
  name: string
  /** Kept with six decimals, about 11 cm. */
  latitude: number
  longitude: number
  radius_km: number
  reference?: string | null | undefined
}

/** A saved list of sites, without the sites. */
export interface SiteList {
  id: string
  /** Unique among the site lists of your account. */
  name: string
  /** How many sites it has. */
  size: number
  /** Counts the changes of its sites. */
  version: number
  /** How many of your watches use the list. */
  watches: number
  /** When the list was saved. */
  created_at: string
  /** When the list was last changed. */
  updated_at: string
}

/** `Source` as the API has it. */
export interface Source {
  url: string | null
  publisher: string
  published_at: string | null
}

/** `State` as the API has it. */
export interface State {
  code: string
  name: string
}

/** `Statistics` as the API has it. */
export interface Statistics {
  group_by: readonly ('state' | 'lga' | 'type' | 'category' | 'severity' | 'hour' | 'day' | 'week' | 'month' | 'year')[]
  data: readonly StatisticsBucket[]
  /** The totals of all matching incidents. */
  total: {
    /** The number of incidents. */
    count: number
    casualties: Casualties
    /** The number of incidents with a known figure. The sums include only these, and are null if there are none. */
    casualties_known: {
      /** Incidents with a known number of dead. */
      killed: number
      /** Incidents with a known number of injured. */
      injured: number
      /** Incidents with a known number of abducted. */
      abducted: number
    }
  }
  meta: {
    /** When the last event included in this response was committed. */
    as_of: string
    /** The number of that event in the log. */
    seq: number
    newest_published_at: string | null
    /** When this node was last in step with the log: it contained every event committed before. Normally a second ago at most. */
    in_step_at: string
  }
}

/** One bucket: the counts, and a field for each requested group, whose `key` the filter of that name accepts (for a time: `from` and `to`). `lga` is null for incidents without a known LGA. */
export interface StatisticsBucket {
  state?: {
    /** The ISO 3166-2 code. */
    key: string
    label: string
  } | undefined
  lga?: {
    /** The code, such as `NG-KD-CHIKUN`. */
    key: string
    label: string
    state: string
    state_code: string
  } | null | undefined
  type?: {
    /** The value, as the filter accepts it. */
    key: IncidentType
    label: string
  } | undefined
  category?: {
    /** The value, as the filter accepts it. */
    key: IncidentCategory
    label: string
  } | undefined
  severity?: {
    /** The value, as the filter accepts it. */
    key: Severity
    label: string
  } | undefined
  hour?: {
    /** The period, such as `2026-03-01T14`, `2026-03-01`, `2026-W09`, `2026-03` or `2026`. */
    key: string
    /** Its first moment. */
    from: string
    /** The first moment after it. */
    to: string
  } | undefined
  day?: {
    /** The period, such as `2026-03-01T14`, `2026-03-01`, `2026-W09`, `2026-03` or `2026`. */
    key: string
    /** Its first moment. */
    from: string
    /** The first moment after it. */
    to: string
  } | undefined
  week?: {
    /** The period, such as `2026-03-01T14`, `2026-03-01`, `2026-W09`, `2026-03` or `2026`. */
    key: string
    /** Its first moment. */
    from: string
    /** The first moment after it. */
    to: string
  } | undefined
  month?: {
    /** The period, such as `2026-03-01T14`, `2026-03-01`, `2026-W09`, `2026-03` or `2026`. */
    key: string
    /** Its first moment. */
    from: string
    /** The first moment after it. */
    to: string
  } | undefined
  year?: {
    /** The period, such as `2026-03-01T14`, `2026-03-01`, `2026-W09`, `2026-03` or `2026`. */
    key: string
    /** Its first moment. */
    from: string
    /** The first moment after it. */
    to: string
  } | undefined
  /** The number of incidents. */
  count: number
  casualties: Casualties
  /** The number of incidents with a known figure. The sums include only these, and are null if there are none. */
  casualties_known: {
    /** Incidents with a known number of dead. */
    killed: number
    /** Incidents with a known number of injured. */
    injured: number
    /** Incidents with a known number of abducted. */
    abducted: number
  }
}

/** The parameters of the counts as JSON, and two filters more: `polygon` and `route`. */
export interface StatisticsQuery {
  /** The groups to count by: one, or two separated by a comma, of which one may be a unit of time. Times are by `published_at`, in `time_zone`; weeks begin on Monday (ISO 8601). */
  group_by: readonly ('state' | 'lga' | 'type' | 'category' | 'severity' | 'hour' | 'day' | 'week' | 'month' | 'year')[] | string
  /** The time zone in which hours, days, weeks, months and years begin: `UTC` (the default) or `Africa/Lagos`, which is UTC+1 all year. It applies to `group_by` only: give `from` and `to` with their offset. */
  time_zone?: 'UTC' | 'Africa/Lagos' | undefined
  /** States by name, ISO code or known alias, in any case. Up to 100 values. */
  state?: readonly string[] | string | undefined
  /** Local government areas by name, code or known alias. A name that exists in two states needs `state`. Up to 100 values. */
  lga?: readonly string[] | string | undefined
  /** Incident types. Up to 100 values. */
  type?: readonly IncidentType[] | string | undefined
  /** Categories of types. Up to 100 values. */
  category?: readonly IncidentCategory[] | string | undefined
  /** Severities. Up to 100 values. */
  severity?: readonly Severity[] | string | undefined
  /** This severity or worse. */
  min_severity?: Severity | undefined
  /** The same as `min_confidence`. */
  confidence?: number | undefined
  /** Minimum confidence, from 0 to 1. */
  min_confidence?: number | undefined
  /** Maximum confidence, from 0 to 1. */
  max_confidence?: number | undefined
  /** Published within this duration: a count and `m` (minutes), `h`, `d` or `w`; or an RFC 3339 time. */
  since?: string | undefined
  /** Published at or after this RFC 3339 time or date (UTC). Not together with `since`. */
  from?: string | undefined
  /** Published before this RFC 3339 time or date (UTC). Not together with `since`. */
  to?: string | undefined
  /** Happened at or after this RFC 3339 time or date (UTC). */
  occurred_from?: string | undefined
  /** Happened before this RFC 3339 time or date (UTC). */
  occurred_to?: string | undefined
  /** Imported from these data sets, such as `ucdp`; `none` for incidents that come from no data set. Up to 100 values. */
  dataset?: readonly string[] | string | undefined
  /** Words, up to 8, each of which must begin a word of the summary. Case and accents do not count: `kidnap jemaa` finds "Kidnappers in Jema'a". */
  q?: string | undefined
  /** Within this box: west,south,east,north in degrees. */
  bbox?: readonly [number, number, number, number] | string | undefined
  /** Within `radius_km` of this point: lat,lng. */
  near?: readonly [number, number] | string | undefined
  /** The distance from `near`, up to 500. */
  radius_km?: number | undefined
  /** Within a polygon, route or circle that your account has saved (`POST /v1/areas`), by its id. Not together with `near`, `polygon` or `route`, and not with a publishable key. */
  area?: string | undefined
  /** Within the radius of a site in a list that your account has saved (`POST /v1/sites`), by its id. Not together with `area`, `near`, `polygon` or `route`, and not with a publishable key. */
  sites?: string | undefined
  /** Only incidents in this area. */
  polygon?: Region | undefined
  /** Only incidents near this line. */
  route?: Route | undefined
}

/** `Taxonomy` as the API has it. */
export interface Taxonomy {
  types: readonly {
    type: IncidentType
    category: IncidentCategory
    label: string
    description: string
  }[]
  categories: readonly {
    category: IncidentCategory
    label: string
    description: string
  }[]
  /** From least to worst. */
  severities: readonly {
    severity: Severity
    label: string
    description: string
  }[]
}

/** One group, with a field of its name if `group_by` is given. `lga` is null where it is unknown. */
export interface Trend {
  state?: {
    /** The ISO 3166-2 code. */
    key: string
    label: string
  } | undefined
  lga?: {
    /** The code, such as `NG-KD-CHIKUN`. */
    key: string
    label: string
    state: string
    state_code: string
  } | null | undefined
  type?: {
    /** The value, as the filter accepts it. */
    key: IncidentType
    label: string
  } | undefined
  category?: {
    /** The value, as the filter accepts it. */
    key: IncidentCategory
    label: string
  } | undefined
  severity?: {
    /** The value, as the filter accepts it. */
    key: Severity
    label: string
  } | undefined
  /** Whether every period could be compared. */
  enough_history: boolean
  reason: string | null
  /** Oldest first. */
  periods: readonly TrendPeriod[]
}

/** A period against what would be usual; figures are null without enough history. */
export interface TrendPeriod {
  /** The period, as `2026-10` or `2026-W45`. */
  key: string
  /** Its first moment. */
  from: string
  /** The first moment after it. */
  to: string
  /** The number of incidents that happened in it and are published. */
  observed: number
  expected: number | null
  usual: {
    /** The smallest usual count. */
    from: number
    /** The largest. */
    to: number
  } | null
  upper_bound: number | null
  ratio: number | null
  p_value: number | null
  verdict: 'higher' | 'not_higher' | null
  /** Whether it is not over, or many of its incidents are not yet published by the measured delay. */
  incomplete: boolean
  completeness: number | null
  /** The earlier years that it is compared with. */
  years: number
  /** The same in a sentence: `14 in October 2026; 5 to 9 would be usual.` */
  text: string
}

/** `Trends` as the API has it. */
export interface Trends {
  group_by: 'state' | 'lga' | 'type' | 'category' | 'severity' | null
  period: 'week' | 'month'
  /** The method and its parameters. */
  method: {
    /** Farrington's method (1996) in Noufaily's variant (2013). */
    name: 'farrington_noufaily'
    /** The most earlier years that are compared. */
    years: number
    /** The fewest; with less there is no verdict. */
    fewest_years: number
    /** Periods before and after the same one of an earlier year that belong to its season. */
    half_window: number
    /** Parts of the year with a mean of their own. */
    season_levels: number
    /** Periods just before the compared one that are left out. */
    recent_excluded: number
    /** Earlier counts with a larger Anscombe residual weigh less. */
    residual_threshold: number
    /** The probability of a count above `upper_bound` by chance. */
    alpha: number
    /** The share of groups called higher that may be so by chance. */
    false_discovery_rate: number
    /** The fewest incidents in the season of the earlier years. */
    least_in_season: number
    /** With fewer, no group is called higher. */
    least_recent: {
      /** So many incidents, */
      incidents: number
      /** in so many periods. */
      periods: number
    }
    /** So many periods without any incident of the whole feed end the history. */
    gap: number
  }
  reporting_delay: {
    /** The incidents measured. */
    incidents: number
    /** Half are published within so many days of the event. */
    median_days: number
    /** Nine in ten are. */
    ninetieth_percentile_days: number
    /** Later ones are left out. */
    longest_days: number
    /** How many days of events are measured. */
    measured_days: number
    /** A period with a smaller share of its incidents is incomplete. */
    complete_share: number
  } | null
  /** Most incidents in the last period first, then by key. */
  data: readonly Trend[]
  meta: {
    /** When the last event included in this response was committed. */
    as_of: string
    /** The number of that event in the log. */
    seq: number
    newest_published_at: string | null
    /** When this node was last in step with the log: it contained every event committed before. Normally a second ago at most. */
    in_step_at: string
  }
}

/** Requests by all keys of the account for each of the last 30 days (UTC), oldest first. */
export type UsageDays = readonly {
  day: string
  requests: number
}[]

/** `Watch` as the API has it. */
export interface Watch {
  id: string
  name: string
  /** How messages reach their receiver. */
  channel: {
    kind: 'webhook' | 'email' | 'slack' | 'discord' | 'teams' | 'telegram' | 'webpush'
    language: 'en' | 'ha' | 'yo' | 'ig' | 'pcm' | null
  }
  /** Of other channels than webhooks, the host and a fingerprint of the address, the chat, or `mailto:` and your address. */
  url: string
  description: string | null
  /** The filter as you sent it. */
  filter: WatchFilter
  /** The events to send. Default: `["incident.created"]` for webhooks, all three if the filter names an `incident`. Messages for people are always sent for all three: whoever was told of an incident is told of its correction and its withdrawal. */
  events: readonly ('incident.created' | 'incident.updated' | 'incident.retracted')[]
  /** The names of your own request headers; each value is shown as `***`. */
  headers: Readonly<Record<string, string>>
  /** When messages go out together. */
  digest: {
    /** `none`: at once. `hourly`: at the full hour. `daily`: once a day. Messages for people are one message then; webhooks are sent one by one, as ever. */
    every: 'none' | 'hourly' | 'daily'
    hour: number | null
    break_severity: Severity | null
  }
  quiet_hours: {
    /** The beginning, as clocks in Lagos show it. */
    from: string
    /** The end, on the next day if it is earlier than the beginning. */
    until: string
    break_severity: Severity | null
  } | null
  /** `failing`: active, but every attempt since `failing_since` failed; it is disabled after five days of that. */
  status: 'active' | 'failing' | 'paused' | 'disabled'
  disabled_reason: string | null
  failing_since: string | null
  /** The `sequence` of its last message. */
  sequence: number
  /** When the watch was created. */
  created_at: string
  /** When the watch was last changed. */
  updated_at: string
}

/** The incidents to watch for: the filters of the list except time and paging, several values as arrays, `incident` to follow certain ones, and two that a query string cannot hold, `polygon` and `route`. All must hold; `{}` matches everything. */
export interface WatchFilter {
  /** States by name, ISO code or known alias, in any case. Up to 100 values. */
  state?: readonly string[] | string | undefined
  /** Local government areas by name, code or known alias. A name that exists in two states needs `state`. Up to 100 values. */
  lga?: readonly string[] | string | undefined
  /** Incident types. Up to 100 values. */
  type?: readonly IncidentType[] | string | undefined
  /** Categories of types. Up to 100 values. */
  category?: readonly IncidentCategory[] | string | undefined
  /** Severities. Up to 100 values. */
  severity?: readonly Severity[] | string | undefined
  /** This severity or worse. */
  min_severity?: Severity | undefined
  /** The same as `min_confidence`. */
  confidence?: number | undefined
  /** Minimum confidence, from 0 to 1. */
  min_confidence?: number | undefined
  /** Maximum confidence, from 0 to 1. */
  max_confidence?: number | undefined
  /** Within this box: west,south,east,north in degrees. */
  bbox?: readonly [number, number, number, number] | string | undefined
  /** Within `radius_km` of this point: lat,lng. */
  near?: readonly [number, number] | string | undefined
  /** The distance from `near`, up to 500. */
  radius_km?: number | undefined
  /** Within a polygon, route or circle that your account has saved (`POST /v1/areas`), by its id. Not together with `near`, `polygon` or `route`, and not with a publishable key. */
  area?: string | undefined
  /** Within the radius of a site in a list that your account has saved (`POST /v1/sites`), by its id. Not together with `area`, `near`, `polygon` or `route`, and not with a publishable key. */
  sites?: string | undefined
  /** Only these incidents, by their ids, up to 20: every correction and the retraction of each. An incident that is merged into another is followed on as that one. */
  incident?: readonly string[] | string | undefined
  /** Only incidents in this area. */
  polygon?: Region | undefined
  /** Only incidents near this line. */
  route?: Route | undefined
}

/** `WatchWithSecret` as the API has it. */
export interface WatchWithSecret {
  id: string
  name: string
  /** How messages reach their receiver. */
  channel: {
    kind: 'webhook' | 'email' | 'slack' | 'discord' | 'teams' | 'telegram' | 'webpush'
    language: 'en' | 'ha' | 'yo' | 'ig' | 'pcm' | null
  }
  /** Of other channels than webhooks, the host and a fingerprint of the address, the chat, or `mailto:` and your address. */
  url: string
  description: string | null
  /** The filter as you sent it. */
  filter: WatchFilter
  /** The events to send. Default: `["incident.created"]` for webhooks, all three if the filter names an `incident`. Messages for people are always sent for all three: whoever was told of an incident is told of its correction and its withdrawal. */
  events: readonly ('incident.created' | 'incident.updated' | 'incident.retracted')[]
  /** The names of your own request headers; each value is shown as `***`. */
  headers: Readonly<Record<string, string>>
  /** When messages go out together. */
  digest: {
    /** `none`: at once. `hourly`: at the full hour. `daily`: once a day. Messages for people are one message then; webhooks are sent one by one, as ever. */
    every: 'none' | 'hourly' | 'daily'
    hour: number | null
    break_severity: Severity | null
  }
  quiet_hours: {
    /** The beginning, as clocks in Lagos show it. */
    from: string
    /** The end, on the next day if it is earlier than the beginning. */
    until: string
    break_severity: Severity | null
  } | null
  /** `failing`: active, but every attempt since `failing_since` failed; it is disabled after five days of that. */
  status: 'active' | 'failing' | 'paused' | 'disabled'
  disabled_reason: string | null
  failing_since: string | null
  /** The `sequence` of its last message. */
  sequence: number
  /** When the watch was created. */
  created_at: string
  /** When the watch was last changed. */
  updated_at: string
  /** The secret that signs the messages. It is shown only once: store it. Empty unless it is a webhook: nothing else is signed. */
  secret: string
}
