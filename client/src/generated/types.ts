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
  | 'newer_schema'
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
  /** Words of the summary, up to 8. A word, or `word*`, must begin one of them; `"a phrase"` must be in it as whole words, side by side. Case and accents do not count: `kidnap jemaa` finds "Kidnappers in Jema'a". */
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
  /** The number of the newest event that you know of, such as `meta.seq`. Caches on the way keep an answer for each number, so none gives you one from before that event. A node that has not reached the event yet says so with `Stale-Seconds`. */
  min_seq?: number | undefined
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
  /** Words of the summary, up to 8. A word, or `word*`, must begin one of them; `"a phrase"` must be in it as whole words, side by side. Case and accents do not count: `kidnap jemaa` finds "Kidnappers in Jema'a". */
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
  /** The number of the newest event that you know of, such as `meta.seq`. Caches on the way keep an answer for each number, so none gives you one from before that event. A node that has not reached the event yet says so with `Stale-Seconds`. */
  min_seq?: number | undefined
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
  /** Words of the summary, up to 8. A word, or `word*`, must begin one of them; `"a phrase"` must be in it as whole words, side by side. Case and accents do not count: `kidnap jemaa` finds "Kidnappers in Jema'a". */
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

/** The parameters of “Read a map tile”. */
export interface ReadTileQuery {
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
  /** The number of the newest event that you know of, such as `meta.seq`. Caches on the way keep an answer for each number, so none gives you one from before that event. A node that has not reached the event yet says so with `Stale-Seconds`. */
  min_seq?: number | undefined
}

/** The parameters of “Keep a copy up to date”. */
export interface ListChangesQuery {
  /** The `next_after` of the last answer, or the `position` of a change; 0 or no value starts at the beginning. A plain `seq` works as well, but a loss may go unnoticed with it. */
  after?: string | undefined
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
  /** The last `position` that you have, such as `meta.position` of a list; a `Last-Event-ID` header takes precedence. Without either, the stream starts with new events. A plain `seq` works as well, but a loss may go unnoticed with it. */
  last_event_id?: string | undefined
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
    /** Where the log was then. Opaque; send it as `after` or `Last-Event-ID` to go on from here. */
    position: string
    newest_published_at: string | null
    /** When this node was last in step with the log: it contained every event committed before. Normally a second ago at most. */
    in_step_at: string
  }
}

/** What “Download a month” answers. */
export type DownloadMonthAnswer = string | unknown

/** The parameters of “Subscribe in a feed reader”. */
export interface ReadFeedQuery {
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
  /** Words of the summary, up to 8. A word, or `word*`, must begin one of them; `"a phrase"` must be in it as whole words, side by side. Case and accents do not count: `kidnap jemaa` finds "Kidnappers in Jema'a". */
  q?: string | undefined
  /** Within this box: west,south,east,north in degrees. */
  bbox?: string | undefined
  /** Within `radius_km` of this point: lat,lng. */
  near?: string | undefined
  /** The distance from `near`, up to 500. */
  radius_km?: number | undefined
  /** Entries per page, from 1 to 1000. Default: 50. */
  limit?: number | undefined
  /** A publishable key, for readers that cannot send headers. Only feeds accept it here; a secret key must never be in a URL. */
  key?: string | undefined
}

/** The parameters of “Read one incident as a CAP alert”. */
export interface ReadAlertQuery {
  /** A publishable key, for readers that cannot send headers. Only feeds accept it here; a secret key must never be in a URL. */
  key?: string | undefined
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

/** The parameters of “Why did this watch match, or not?”. */
export interface ExplainWatchQuery {
  /** The id of an incident. */
  incident: string
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

/** What “Send all deliveries again that a filter matches” takes. */
export interface RedeliverAllBody {
  status?: 'pending' | 'delivered' | 'failed' | 'cancelled' | undefined
  event?: 'incident.created' | 'incident.updated' | 'incident.retracted' | undefined
  incident?: string | undefined
  watch?: readonly string[] | undefined
  since?: string | undefined
  from?: string | undefined
  to?: string | undefined
  cursor?: string | undefined
}

/** What “Send all deliveries again that a filter matches” answers. */
export interface RedeliverAllAnswer {
  redelivered: number
  skipped: {
    tests: number
    /** What the message says is no longer true. */
    retracted: number
    /** Their watch is paused or disabled: resume it first. */
    inactive: number
  }
  has_more: boolean
  next_cursor: string | null
}

/** The parameters of “Receive signed messages without an endpoint”. */
export interface ListenQuery {
  /** The watch to listen to; without it, the filters below apply. */
  watch?: string | undefined
  /** With a filter, the events to hear of. Default: `incident.created`, or all three with `incident`. */
  events?: 'incident.created' | 'incident.updated' | 'incident.retracted' | readonly ('incident.created' | 'incident.updated' | 'incident.retracted')[] | undefined
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
  /** Only these incidents, by their ids, up to 20: every correction and the retraction of each. An incident that is merged into another is followed on as that one. */
  incident?: string | readonly string[] | undefined
  /** The `id` of the last event that you have; a `Last-Event-ID` header takes precedence. */
  last_event_id?: string | undefined
}

/** What “Get the key for notifications in browsers” answers. */
export interface ReadPushKeyAnswer {
  /** A point on the curve P-256, 65 bytes in base64url (RFC 8292). */
  public_key: string
}

/** What “Say that a browser is still there” takes. */
export interface RecordSeenBrowserBody {
  /** The `endpoint` of the subscription of the browser. */
  endpoint: string
}

/** What “Say that a browser has another subscription” takes. */
export interface ReplaceBrowserBody {
  /** The `endpoint` of the earlier subscription. */
  endpoint: string
  subscription: BrowserSubscription
}

/** What “Report incidents” takes. */
export type CreateReportsBody = Report | readonly Report[]

/** The parameters of “List your own reports”. */
export interface ListReportsQuery {
  /** Reports per page, from 1 to 100. Default: 50. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined
}

/** The parameters of “List reports that need a decision”. */
export interface ListDeskQuery {
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
  /** Words of the summary, the place or the sources, up to 200 characters. A word, or `word*`, must begin one of them; `"a phrase"` must be in them as whole words, side by side. Case and accents do not count. */
  q?: string | undefined
  /** Within this box: west,south,east,north in degrees. */
  bbox?: string | undefined
  /** Within `radius_km` of this point: lat,lng. */
  near?: string | undefined
  /** The distance from `near`, up to 500. */
  radius_km?: number | undefined
  /** Default: `reported`. */
  status?: 'reported' | 'confirmed' | 'retracted' | 'rejected' | 'merged' | undefined
  /** How the report arrived. */
  origin?: 'api' | 'feed' | 'tip' | 'import' | undefined
  /** The id of an account, `me`, or `none`: who has a claim that has not lapsed. */
  claimed_by?: string | undefined
  /** Default: `newest`. `severity` and `confidence` put the highest first and the newest of equals; confirmed incidents are ordered by time only. */
  order?: 'newest' | 'oldest' | 'severity' | 'confidence' | undefined
  /** Default: `all`. `none` leaves `possible_duplicates` empty: finding those of a page takes longer than all the rest, and reading one incident finds its own. */
  duplicates?: 'all' | 'none' | undefined
  /** Incidents per page, from 1 to 200. Default: 50. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page: opaque, and bound to its filters and order. */
  cursor?: string | undefined
}

/** The parameters of “Follow the queue as it changes”. */
export interface ReadDeskStreamQuery {
  /** The last `revision` that you have, such as that of `GET /v1/desk/counts`; a `Last-Event-ID` header takes precedence. Without either, the stream starts with new changes. */
  last_event_id?: number | undefined
}

/** What “Correct an incident” takes. */
export interface ChangeDeskBody {
  /** What happened; see `GET /v1/taxonomy`. */
  type?: IncidentType | undefined
  /** The time of the event: an RFC 3339 time or a date, not in the future. */
  occurred_at?: string | undefined
  occurred_until?: string | null | undefined
  /** The precision of the time; derived from the form of `occurred_at` by default. */
  time_precision?: 'exact' | 'hour' | 'day' | 'week' | 'month' | 'year' | undefined
  lat?: number | null | undefined
  lng?: number | null | undefined
  state?: string | null | undefined
  lga?: string | null | undefined
  place?: string | null | undefined
  precision?: 'exact' | 'settlement' | 'lga' | 'state' | null | undefined
  summary?: string | null | undefined
  text?: string | null | undefined
  sources?: readonly ReportedSource[] | undefined
  /** The figures that hold. An unknown one is null or omitted, never 0. */
  casualties?: {
    killed?: number | null | undefined
    injured?: number | null | undefined
    abducted?: number | null | undefined
  } | undefined
  /** What each source says, where they differ. Each source is named once. */
  casualties_reported?: readonly {
    /** Who gives these figures. */
    source: string
    killed?: number | null | undefined
    injured?: number | null | undefined
    abducted?: number | null | undefined
  }[] | undefined
  severity?: Severity | null | undefined
  confidence?: number | null | undefined
  note?: string | null | undefined
}

/** What “Confirm a report” takes. */
export interface ConfirmIncidentBody {
  note?: string | null | undefined
  /** The version that you have read; the same as `If-Match`. */
  version?: number | undefined
}

/** What “Reject a report” takes. */
export interface RejectIncidentBody {
  note?: string | null | undefined
  /** The version that you have read; the same as `If-Match`. */
  version?: number | undefined
}

/** What “Retract a confirmed incident” takes. */
export interface RetractIncidentBody {
  note?: string | null | undefined
  /** The version that you have read; the same as `If-Match`. */
  version?: number | undefined
}

/** What “Merge an incident into another” takes. */
export interface MergeIncidentBody {
  /** The id of the incident that remains. */
  into: string
  /** Whose value remains, by field. Default: `other`. */
  take?: {
    /** `this` is the incident in the path, `other` the one in `into`. */
    type?: 'this' | 'other' | undefined
    /** `this` is the incident in the path, `other` the one in `into`. */
    severity?: 'this' | 'other' | undefined
    /** `this` is the incident in the path, `other` the one in `into`. */
    location?: 'this' | 'other' | undefined
    /** `this` is the incident in the path, `other` the one in `into`. */
    summary?: 'this' | 'other' | undefined
    /** `this` is the incident in the path, `other` the one in `into`. */
    casualties?: 'this' | 'other' | undefined
    /** `this` is the incident in the path, `other` the one in `into`. */
    occurred_at?: 'this' | 'other' | undefined
  } | undefined
  note?: string | null | undefined
  /** The version that you have read; the same as `If-Match`. */
  version?: number | undefined
  /** The version of `into` that you have read. A stale one is refused. */
  into_version?: number | undefined
}

/** What “Reopen a rejected report” takes. */
export interface ReopenIncidentBody {
  note?: string | null | undefined
  /** The version that you have read; the same as `If-Match`. */
  version?: number | undefined
}

/** What “Restore a retracted incident” takes. */
export interface RestoreIncidentBody {
  note?: string | null | undefined
  /** The version that you have read; the same as `If-Match`. */
  version?: number | undefined
}

/** What “Undo a merge” takes. */
export interface UnmergeIncidentBody {
  note?: string | null | undefined
  /** The version that you have read; the same as `If-Match`. */
  version?: number | undefined
}

/** What “Undo the last step” takes. */
export interface UndoStepBody {
  /** The id of the step, as in `desk.undo.step` or in the history. */
  step: string
  note?: string | null | undefined
}

/** What “Claim an incident” takes. */
export interface ClaimIncidentBody {
  take_over?: boolean | undefined
}

/** What “Add a note” takes. */
export interface AddNoteBody {
  note: string
}

/** What “Decide on many incidents” takes. */
export interface MoveInBulkBody {
  /** Incidents, each named once. */
  ids: readonly string[]
  move: 'confirm' | 'reject' | 'retract' | 'reopen' | 'restore' | 'claim' | 'release'
  note?: string | null | undefined
}

/** The parameters of “List pairs of incidents that may be one event”. */
export interface ListDuplicatesQuery {
  /** Default: `open`. `dismissed` lists pairs that an editor called different events, newest first. */
  list?: 'open' | 'dismissed' | undefined
  /** Pairs per page, from 1 to 100. Default: 50. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page, with the same `list`. */
  cursor?: string | undefined
}

/** What “Say that two incidents are not the same” takes. */
export interface DismissDuplicateBody {
  note?: string | null | undefined
  /** The version that you have read; the same as `If-Match`. */
  version?: number | undefined
  /** The version of the other incident that you have read. */
  other_version?: number | undefined
}

/** What “Offer a dismissed pair again” takes. */
export interface OfferDuplicateBody {
  note?: string | null | undefined
  /** The version that you have read; the same as `If-Match`. */
  version?: number | undefined
  /** The version of the other incident that you have read. */
  other_version?: number | undefined
}

/** What “Read a story” takes. */
export interface ExtractIncidentsBody {
  /** The story as plain text. */
  text: string
  title?: string | null | undefined
  url?: string | null | undefined
  published_at?: string | null | undefined
}

/** What “Read a story” answers. */
export interface ExtractIncidentsAnswer {
  candidates: readonly IncidentCandidate[]
}

/** What “Read an incident's history” answers. */
export interface ReadHistoryAnswer {
  data: readonly Step[]
}

/** The parameters of “List proposed sources that need a decision”. */
export interface ListProposedSourcesQuery {
  /** Proposals per page, from 1 to 200. Default: 50. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined
}

/** What “List the proposed sources of an incident” answers. */
export interface ListProposedSourcesOfAnswer {
  data: readonly ProposedSource[]
}

/** What “Accept a proposed source” takes. */
export interface AcceptProposedSourceBody {
  note?: string | null | undefined
  /** The version that you have read; the same as `If-Match`. */
  version?: number | undefined
}

/** What “Dismiss a proposed source” takes. */
export interface DismissProposedSourceBody {
  /** Whether the story tells of another incident, to be queued. Default: false. */
  queue?: boolean | undefined
  note?: string | null | undefined
  /** The version that you have read; the same as `If-Match`. */
  version?: number | undefined
}

/** The parameters of “List stories without a place”. */
export interface ListUnplacedStoriesQuery {
  /** Stories per page, from 1 to 200. Default: 50. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined
}

/** What “Close a story without a place” takes. */
export interface CloseUnplacedStoryBody {
  /** The incidents that were filed from the story. Default: none; the story is dismissed. */
  incident_ids?: readonly string[] | undefined
}

/** What “Take content out of an incident for good” takes. */
export interface RedactIncidentBody {
  fields?: readonly ('summary' | 'text' | 'sources' | 'notes' | 'place' | 'point' | 'casualties' | 'contact')[] | undefined
  /** Whether to take out every field. */
  all?: boolean | undefined
  /** Exact words, such as the name of a victim. They are not stored. */
  words?: readonly string[] | undefined
  /** Kept in the history. It must not contain the words. */
  reason: string
}

/** What “List an incident's redactions” answers. */
export interface ListRedactionsAnswer {
  data: readonly Redaction[]
}

/** What “Read who sent the tips behind an incident” answers. */
export interface ListTipsAnswer {
  data: readonly Tip[]
}

/** What “List your entries in the table of publishers” answers. */
export interface ListPublishersAnswer {
  data: readonly Publisher[]
}

/** What “Classify a publisher” takes. */
export interface SetPublisherBody {
  /** Any of the publisher's names; matched like the names of sources. */
  name: string
  /** The kind of publisher, which decides its weight (docs/confidence.md). */
  class: 'official' | 'international' | 'national' | 'research' | 'local' | 'unknown' | 'aggregator' | 'social'
}

/** What “Ask for alerts, without an account” takes. */
export interface RequestAlertBody {
  email?: string | undefined
  push?: BrowserSubscription | undefined
  /** Where: `state`, `lga`, `near` with `radius_km`, `bbox`, `polygon` or `route`; and, if wanted, `type`, `category`, `severity` or `min_severity`. Or `incident` alone, with the id of one incident to follow. */
  filter: WatchFilter
  /** Of the question and of the messages. Default: `en`. */
  language?: 'en' | 'ha' | 'yo' | 'ig' | 'pcm' | undefined
}

/** What “List the alerts of a browser” takes. */
export interface ListBrowserAlertsBody {
  /** The `endpoint` of the subscription of the browser. */
  endpoint: string
  /** Of the area in words. Default: `en`. */
  language?: 'en' | 'ha' | 'yo' | 'ig' | 'pcm' | undefined
}

/** What “Send a tip to the desk” takes. */
export interface CreateTipBody {
  /** What happened. */
  text: string
  type?: IncidentType | null | undefined
  /** The time of the event: an RFC 3339 time or a date, not in the future. */
  occurred_at: string
  place?: string | null | undefined
  state?: string | null | undefined
  lga?: string | null | undefined
  lat?: number | null | undefined
  lng?: number | null | undefined
  contact?: string | null | undefined
  proof: TipProof
}

/** What “Send a tip to the desk” answers. */
export interface CreateTipAnswer {
  /** Needed to add something later. It is shown only here. */
  reference: string
  /** The days for which it is known. */
  reference_days: number
}

/** What “Add something to a tip” takes. */
export interface AddToTipBody {
  /** The reference number of the tip. */
  reference: string
  /** What is new. */
  text: string
  contact?: string | null | undefined
  proof: TipProof
}

/** The parameters of “List the places that were added”. */
export interface ListPlacesQuery {
  /** Only names that begin so, in any case and spelling of accents. */
  q?: string | undefined
  /** Only places of this kind. */
  kind?: 'settlement' | 'forest' | 'river' | 'lake' | 'mountain' | 'market' | 'camp' | 'road' | undefined
  /** Only places of this source. */
  source?: 'desk' | 'geonames' | 'geojson' | undefined
  /** Places per page, from 1 to 200. Default: 50. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined
}

/** What “Add a place” takes. */
export interface AddPlaceBody {
  /** The name, as news writes it. */
  name: string
  /** Old names and other spellings, by which the place is found as well. */
  aliases?: readonly string[] | undefined
  /** What it is. All but `settlement`, `market` and `camp` are wider than a point. Default: settlement. */
  kind?: 'settlement' | 'forest' | 'river' | 'lake' | 'mountain' | 'market' | 'camp' | 'road' | undefined
  lat: number
  lng: number
  population?: number | null | undefined
  radius_km?: number | null | undefined
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

/** What “Change the name of your account” takes. */
export interface ChangeMeBody {
  name: string | null
}

/** What “Delete your account” takes. */
export interface DeleteMeBody {
  /** The e-mail address of the account; its name if it has no address; its id if it has neither. `GET /v1/me` shows them. */
  confirm: string
}

/** What “Sign in” takes. */
export interface CreateSessionBody {
  /** A live key, `inf_live_…`. */
  key?: string | undefined
  /** From a sign-in link: `/sign-in?token=…`. */
  token?: string | undefined
  /** The `AuthenticationResponseJSON` of WebAuthn, for options of `POST /v1/passkeys/options`. */
  passkey?: {
    id: string
    readonly [name: string]: unknown
  } | undefined
}

/** What “Mail a sign-in link, or get a new key for an account whose keys are lost” takes. */
export interface MailRecoveryLinkBody {
  email: string
}

/** What “List where your account is signed in” answers. */
export interface ListSessionsAnswer {
  data: readonly Session[]
}

/** What “Begin to add a passkey, or to sign in with one” takes. */
export interface PasskeyOptionsBody {
  for: 'registration' | 'sign_in'
}

/** What “Begin to add a passkey, or to sign in with one” answers. */
export interface PasskeyOptionsAnswer {
  challenge: string
  readonly [name: string]: unknown
}

/** What “Add a passkey” takes. */
export interface CreatePasskeyBody {
  /** Your name for the device. */
  name?: string | undefined
  /** The `RegistrationResponseJSON` of WebAuthn. */
  credential: {
    id: string
    readonly [name: string]: unknown
  }
}

/** What “List the passkeys of your account” answers. */
export interface ListPasskeysAnswer {
  data: readonly Passkey[]
}

/** The parameters of “List accounts”. */
export interface ListAccountsQuery {
  /** The address, in any case. Accounts that only claim it are listed too. */
  email?: string | undefined
  /** The role. */
  role?: 'client' | 'reporter' | 'editor' | 'admin' | undefined
  /** The status. */
  status?: 'active' | 'blocked' | 'deleted' | undefined
  /** Accounts per page, from 1 to 100. Default: 50. */
  limit?: number | undefined
  /** `next_cursor` of the page before. */
  cursor?: string | undefined
}

/** What “Invite a person” takes. */
export interface InviteAccountBody {
  email: string
  /** The name that colleagues see at the desk. */
  name: string
  role: 'client' | 'reporter' | 'editor' | 'admin'
}

/** What “Change the name, the role, the status or the limits of an account” takes. */
export interface ChangeAccountBody {
  role?: 'client' | 'reporter' | 'editor' | 'admin' | undefined
  name?: string | undefined
  status?: 'active' | 'blocked' | undefined
  limits?: {
    requests_per_minute?: number | null | undefined
    publishable_requests_per_minute?: number | null | undefined
    keys?: number | null | undefined
    watches?: number | null | undefined
    areas?: number | null | undefined
    site_lists?: number | null | undefined
    streams?: number | null | undefined
    watch_tests_per_minute?: number | null | undefined
    previews_per_minute?: number | null | undefined
    site_uploads_per_minute?: number | null | undefined
  } | undefined
}

/** What “Issue a key for an account” takes. */
export interface CreateAccountKeyBody {
  name?: string | null | undefined
  /** Default: `live`. */
  kind?: 'live' | 'publishable' | undefined
  /** Only scopes that the creating key has itself. Default: `read` and `watch`; of a publishable key, `read`. */
  scopes?: readonly ('read' | 'watch' | 'report' | 'review' | 'admin' | 'operate')[] | undefined
  /** For publishable keys, such as `https://example.org`. Stored as browsers send them: lower case, punycode, no default port, no slash at the end. */
  origins?: readonly string[] | undefined
  expires_at?: string | null | undefined
}

/** The parameters of “List the keys of all accounts, or of one”. */
export interface ListAllKeysQuery {
  /** Only keys of this account. */
  account?: string | undefined
  /** Keys per page, from 1 to 100. Default: 50. */
  limit?: number | undefined
  /** `next_cursor` of the page before. */
  cursor?: string | undefined
}

/** What “List the keys of all accounts, or of one” answers. */
export interface ListAllKeysAnswer {
  data: readonly AdminKey[]
  has_more: boolean
  next_cursor: string | null
}

/** The parameters of “Read the audit log”. */
export interface ListAuditQuery {
  /** Only what this account did. */
  actor?: string | undefined
  /** Only what was done to this incident. */
  incident?: string | undefined
  /** At or after this RFC 3339 time or date (UTC). */
  from?: string | undefined
  /** Before this RFC 3339 time or date (UTC). */
  to?: string | undefined
  /** Entries per page, from 1 to 200. Default: 50. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined
}

/** What “List news sources with their health” answers. */
export interface ListSourcesAnswer {
  data: readonly NewsSource[]
}

/** What “Add a news source” takes. */
export interface CreateSourceBody {
  /** The https address of an RSS, Atom, RDF or JSON feed; the rules of webhook endpoints apply. */
  url: string
  /** Named as the publisher of every report from this source; it decides the weight (docs/confidence.md). */
  publisher: string
  /** How often the feed is fetched. Default: 15. */
  every_minutes?: number | undefined
  /** A paused source is not fetched. */
  paused?: boolean | undefined
}

/** What “Change, pause or resume a news source” takes. */
export interface ChangeSourceBody {
  /** The https address of an RSS, Atom, RDF or JSON feed; the rules of webhook endpoints apply. */
  url?: string | undefined
  /** Named as the publisher of every report from this source; it decides the weight (docs/confidence.md). */
  publisher?: string | undefined
  /** How often the feed is fetched. Default: 15. */
  every_minutes?: number | undefined
  /** A paused source is not fetched. */
  paused?: boolean | undefined
}

/** The parameters of “List the items of a news source”. */
export interface ListSourceItemsQuery {
  /** Only items that this became of. */
  state?: 'queued' | 'proposed' | 'duplicate' | 'no_incident' | 'no_place' | 'too_old' | undefined
  /** Items per page, from 1 to 200. Default: 50. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined
}

/** Query, body and successful answer of every operation by its id. */
export interface Operations {
  listIncidents: { query: ListIncidentsQuery; answer: IncidentList }
  queryIncidents: { body: IncidentQuery; answer: IncidentList }
  readIncident: { query: ReadIncidentQuery; answer: Incident }
  listCorrections: { answer: ListCorrectionsAnswer }
  readStatistics: { query: ReadStatisticsQuery; answer: Statistics }
  queryStatistics: { body: StatisticsQuery; answer: Statistics }
  readTrends: { query: ReadTrendsQuery; answer: Trends }
  readTile: { query: ReadTileQuery; answer: undefined }
  listChanges: { query: ListChangesQuery; answer: ChangeList }
  readStream: { query: ReadStreamQuery; answer: undefined }
  listMonths: { answer: ListMonthsAnswer }
  downloadMonth: { answer: DownloadMonthAnswer }
  readFeed: { query: ReadFeedQuery; answer: undefined }
  readAlert: { query: ReadAlertQuery; answer: undefined }
  readTaxonomy: { answer: Taxonomy }
  readStatus: { answer: ServiceStatus }
  listStates: { answer: ListStatesAnswer }
  listLgas: { query: ListLgasQuery; answer: ListLgasAnswer }
  locatePoint: { query: LocatePointQuery; answer: LocatedPoint }
  searchPlaces: { query: SearchPlacesQuery; answer: SearchPlacesAnswer }
  stateBoundaries: { answer: FeatureCollection }
  lgaBoundaries: { answer: FeatureCollection }
  roadLines: { answer: FeatureCollection }
  askAssistantServer: { body: AssistantMessage; answer: AssistantAnswer }
  createArea: { body: CreateAreaBody; answer: Area }
  listAreas: { query: ListAreasQuery; answer: ListAreasAnswer }
  readArea: { answer: Area }
  changeArea: { body: ChangeAreaBody; answer: Area }
  deleteArea: { answer: undefined }
  createSites: { query: CreateSitesQuery; body: CreateSitesBody; answer: SiteList }
  listSites: { query: ListSitesQuery; answer: ListSitesAnswer }
  readSites: { query: ReadSitesQuery; answer: ReadSitesAnswer }
  replaceSites: { query: ReplaceSitesQuery; body: ReplaceSitesBody; answer: SiteList }
  deleteSites: { answer: undefined }
  createWatch: { body: CreateWatchBody; answer: WatchWithSecret }
  listWatches: { query: ListWatchesQuery; answer: ListWatchesAnswer }
  readWatch: { answer: Watch }
  changeWatch: { body: ChangeWatchBody; answer: Watch }
  deleteWatch: { answer: undefined }
  previewWatch: { body: PreviewWatchBody; answer: PreviewWatchAnswer }
  testWatch: { body: TestWatchBody; answer: TestWatchAnswer }
  rotateSecret: { body: RotateSecretBody; answer: WatchWithSecret }
  retryWatch: { answer: RetryWatchAnswer }
  recoverWatch: { body: RecoverWatchBody; answer: RecoverWatchAnswer }
  explainWatch: { query: ExplainWatchQuery; answer: WatchExplanation }
  listDeliveries: { query: ListDeliveriesQuery; answer: ListDeliveriesAnswer }
  listAllDeliveries: { query: ListAllDeliveriesQuery; answer: ListAllDeliveriesAnswer }
  readDelivery: { answer: DeliveryWithAttempts }
  redeliver: { answer: Delivery }
  redeliverAll: { body: RedeliverAllBody; answer: RedeliverAllAnswer }
  listen: { query: ListenQuery; answer: undefined }
  readPushKey: { answer: ReadPushKeyAnswer }
  recordSeenBrowser: { body: RecordSeenBrowserBody; answer: undefined }
  replaceBrowser: { body: ReplaceBrowserBody; answer: undefined }
  createReports: { body: CreateReportsBody; answer: DeskIncident | ReportResults }
  listReports: { query: ListReportsQuery; answer: DeskList }
  readReport: { answer: DeskIncident }
  listDesk: { query: ListDeskQuery; answer: DeskList }
  countDesk: { answer: DeskCounts }
  readDeskStream: { query: ReadDeskStreamQuery; answer: undefined }
  readDesk: { answer: DeskIncident }
  changeDesk: { body: ChangeDeskBody; answer: DeskIncident }
  confirmIncident: { body: ConfirmIncidentBody; answer: DeskIncident }
  rejectIncident: { body: RejectIncidentBody; answer: DeskIncident }
  retractIncident: { body: RetractIncidentBody; answer: DeskIncident }
  mergeIncident: { body: MergeIncidentBody; answer: DeskIncident }
  reopenIncident: { body: ReopenIncidentBody; answer: DeskIncident }
  restoreIncident: { body: RestoreIncidentBody; answer: DeskIncident }
  unmergeIncident: { body: UnmergeIncidentBody; answer: DeskIncident }
  undoStep: { body: UndoStepBody; answer: DeskIncident }
  claimIncident: { body: ClaimIncidentBody; answer: DeskIncident }
  releaseIncident: { answer: DeskIncident }
  addNote: { body: AddNoteBody; answer: DeskIncident }
  moveInBulk: { body: MoveInBulkBody; answer: BulkResults }
  listDuplicates: { query: ListDuplicatesQuery; answer: DuplicatePairList }
  dismissDuplicate: { body: DismissDuplicateBody; answer: DeskIncident }
  offerDuplicate: { body: OfferDuplicateBody; answer: DeskIncident }
  extractIncidents: { body: ExtractIncidentsBody; answer: ExtractIncidentsAnswer }
  readHistory: { answer: ReadHistoryAnswer }
  listProposedSources: { query: ListProposedSourcesQuery; answer: ProposedSourceList }
  listProposedSourcesOf: { answer: ListProposedSourcesOfAnswer }
  acceptProposedSource: { body: AcceptProposedSourceBody; answer: DeskIncident }
  dismissProposedSource: { body: DismissProposedSourceBody; answer: DeskIncident }
  listUnplacedStories: { query: ListUnplacedStoriesQuery; answer: UnplacedStoryList }
  closeUnplacedStory: { body: CloseUnplacedStoryBody; answer: undefined }
  redactIncident: { body: RedactIncidentBody; answer: Redaction }
  listRedactions: { answer: ListRedactionsAnswer }
  listTips: { answer: ListTipsAnswer }
  listPublishers: { answer: ListPublishersAnswer }
  setPublisher: { body: SetPublisherBody; answer: Publisher }
  removePublisher: { answer: undefined }
  requestAlert: { body: RequestAlertBody; answer: StartedAlert | PendingKey }
  listBrowserAlerts: { body: ListBrowserAlertsBody; answer: BrowserAlertList }
  readTipChallenge: { answer: TipChallenge }
  createTip: { body: CreateTipBody; answer: CreateTipAnswer }
  addToTip: { body: AddToTipBody; answer: undefined }
  listPlaces: { query: ListPlacesQuery; answer: GazetteerList }
  addPlace: { body: AddPlaceBody; answer: GazetteerPlace }
  removePlace: { answer: undefined }
  createKey: { body: CreateKeyBody; answer: IssuedKey | PendingKey }
  listKeys: { query: ListKeysQuery; answer: KeyList }
  changeKey: { body: ChangeKeyBody; answer: Key }
  rotateKey: { answer: IssuedKey }
  revokeKey: { query: RevokeKeyQuery; answer: Key }
  readMe: { answer: Me }
  changeMe: { body: ChangeMeBody; answer: OwnAccount }
  deleteMe: { body: DeleteMeBody; answer: undefined }
  createSession: { body: CreateSessionBody; answer: SignedIn }
  mailRecoveryLink: { body: MailRecoveryLinkBody; answer: PendingKey }
  listSessions: { answer: ListSessionsAnswer }
  endSession: { answer: undefined }
  endAllSessions: { answer: undefined }
  passkeyOptions: { body: PasskeyOptionsBody; answer: PasskeyOptionsAnswer }
  createPasskey: { body: CreatePasskeyBody; answer: Passkey }
  listPasskeys: { answer: ListPasskeysAnswer }
  deletePasskey: { answer: undefined }
  listAccounts: { query: ListAccountsQuery; answer: AccountList }
  inviteAccount: { body: InviteAccountBody; answer: InvitedAccount }
  readAccount: { answer: AccountWithUsage }
  changeAccount: { body: ChangeAccountBody; answer: Account }
  createAccountKey: { body: CreateAccountKeyBody; answer: IssuedKey }
  createSignInLink: { answer: IssuedLink }
  listAllKeys: { query: ListAllKeysQuery; answer: ListAllKeysAnswer }
  readAnyKey: { answer: AdminKey }
  revokeAnyKey: { answer: AdminKey }
  listAudit: { query: ListAuditQuery; answer: AuditList }
  listSources: { answer: ListSourcesAnswer }
  createSource: { body: CreateSourceBody; answer: NewsSource }
  readSource: { answer: NewsSource }
  changeSource: { body: ChangeSourceBody; answer: NewsSource }
  removeSource: { answer: undefined }
  listSourceItems: { query: ListSourceItemsQuery; answer: NewsItemList }
}

/** `Account` as the API has it. */
export interface Account {
  /** The id, such as `acc_01jd8z0c5x…`. */
  id: string
  email: string | null
  /** Whether a mailed link has proved the address. Other mail goes to verified addresses only. */
  email_verified: boolean
  /** Whether the address is only a claim: whoever opened the account typed it, and neither a mailed link nor an operator has shown that it is theirs. A mailed link to it leads to another account; when that is opened, this one names the address no more. */
  email_claimed: boolean
  name: string | null
  /** What keys of the account may do at most: a client `read` and `watch`; a reporter also `report`; an editor also `review`; an admin also `admin`. */
  role: 'client' | 'reporter' | 'editor' | 'admin'
  /** `deleted`: its owner has deleted it. Its id is kept, for keys and entries of the audit log that name it. */
  status: 'active' | 'blocked' | 'deleted'
  /** When the account was opened. */
  created_at: string
  /** The account's own limits; others are the service's defaults. */
  limits: {
    requests_per_minute?: number | null | undefined
    publishable_requests_per_minute?: number | null | undefined
    keys?: number | null | undefined
    watches?: number | null | undefined
    areas?: number | null | undefined
    site_lists?: number | null | undefined
    streams?: number | null | undefined
    watch_tests_per_minute?: number | null | undefined
    previews_per_minute?: number | null | undefined
    site_uploads_per_minute?: number | null | undefined
  }
  requests_last_30_days: number
}

/** `AccountList` as the API has it. */
export interface AccountList {
  data: readonly Account[]
  has_more: boolean
  next_cursor: string | null
}

/** `AccountWithUsage` as the API has it. */
export interface AccountWithUsage {
  /** The id, such as `acc_01jd8z0c5x…`. */
  id: string
  email: string | null
  /** Whether a mailed link has proved the address. Other mail goes to verified addresses only. */
  email_verified: boolean
  /** Whether the address is only a claim: whoever opened the account typed it, and neither a mailed link nor an operator has shown that it is theirs. A mailed link to it leads to another account; when that is opened, this one names the address no more. */
  email_claimed: boolean
  name: string | null
  /** What keys of the account may do at most: a client `read` and `watch`; a reporter also `report`; an editor also `review`; an admin also `admin`. */
  role: 'client' | 'reporter' | 'editor' | 'admin'
  /** `deleted`: its owner has deleted it. Its id is kept, for keys and entries of the audit log that name it. */
  status: 'active' | 'blocked' | 'deleted'
  /** When the account was opened. */
  created_at: string
  /** The account's own limits; others are the service's defaults. */
  limits: {
    requests_per_minute?: number | null | undefined
    publishable_requests_per_minute?: number | null | undefined
    keys?: number | null | undefined
    watches?: number | null | undefined
    areas?: number | null | undefined
    site_lists?: number | null | undefined
    streams?: number | null | undefined
    watch_tests_per_minute?: number | null | undefined
    previews_per_minute?: number | null | undefined
    site_uploads_per_minute?: number | null | undefined
  }
  requests_last_30_days: number
  quotas: Quotas
  usage: {
    days: UsageDays
  }
}

/** `AdminKey` as the API has it. */
export type AdminKey = Key & {
  account_id: string
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

/** A JSON-RPC answer: `result`, or `error`. */
export interface AssistantAnswer {
  jsonrpc: '2.0'
  id: string | number | null
  result?: Readonly<Record<string, unknown>> | undefined
  error?: {
    code: number
    message: string
    data?: unknown | undefined
  } | undefined
}

/** One JSON-RPC message of the Model Context Protocol. */
export interface AssistantMessage {
  jsonrpc: '2.0'
  /** Left out in a notification. */
  id?: string | number | undefined
  /** Such as `tools/list` or `tools/call`. */
  method: string
  params?: Readonly<Record<string, unknown>> | undefined
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

/** `AuditEntry` as the API has it. */
export interface AuditEntry {
  id: string
  /** When it happened. */
  at: string
  /** Who did it. */
  by: {
    account_id: string | null
    key_id: string | null
    name: string
  }
  /** What was done, such as `incident.confirm`, `account.change`, `key.revoke` or `session.create`. */
  action: string
  /** The id of the incident, account, key or session that it was done to. */
  subject: string
  note: string | null
  /** The changed fields before; null if there were none. */
  before: unknown
  /** The changed fields after; null if there are none. */
  after: unknown
}

/** `AuditList` as the API has it. */
export interface AuditList {
  data: readonly AuditEntry[]
  has_more: boolean
  next_cursor: string | null
}

/** `BrowserAlertList` as the API has it. */
export interface BrowserAlertList {
  data: readonly {
    /** The area and the severity, in words. */
    area: string
    /** When it was asked for. */
    since: string
    /** A page that shows the alert and ends it; a POST to it ends the alert at once. It is a secret. */
    link: string
  }[]
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

/** `BulkResults` as the API has it. */
export interface BulkResults {
  done: number
  refused: number
  /** One result per id, in the order sent. */
  data: readonly ({
    id: string
    status: 200
    incident: {
      id: string
      status: 'reported' | 'confirmed' | 'retracted' | 'rejected' | 'merged'
      version: number
      claim: Claim | null
      undo: Undo | null
    }
  } | {
    id: string
    status: number
    problem: Problem
  })[]
}

/** An unknown figure is null, never 0. */
export interface Casualties {
  killed: number | null
  injured: number | null
  abducted: number | null
}

/** `Change` as the API has it. */
export interface Change {
  /** The number of the change. Numbers have no gaps, except one of millions after an early restore from a backup. After a loss they are given again: `position` tells changes apart. */
  seq: number
  /** Where the change is in the log. Opaque; send it as `after` or `Last-Event-ID` to go on from here. */
  position: string
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
  /** Send it as `after` to continue, now or later. Opaque. */
  next_after: string
  /** Whether more changes are available at once. */
  has_more: boolean
  meta: {
    /** When the last event included in this response was committed. */
    as_of: string
    /** The number of that event in the log. */
    seq: number
    /** Where the log was then. Opaque; send it as `after` or `Last-Event-ID` to go on from here. */
    position: string
    newest_published_at: string | null
    /** When this node was last in step with the log: it contained every event committed before. Normally a second ago at most. */
    in_step_at: string
  }
}

/** `Claim` as the API has it. */
export interface Claim {
  by: {
    account_id: string
    name: string
  }
  /** When the claim lapses. */
  until: string
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

/** `DeskCounts` as the API has it. */
export interface DeskCounts {
  /** All incidents, by status. */
  status: {
    reported: number
    confirmed: number
    retracted: number
    rejected: number
    merged: number
  }
  /** Open reports, by origin. */
  origin: {
    api: number
    feed: number
    tip: number
    import: number
  }
  /** Open reports, by severity. */
  severity: {
    low: number
    medium: number
    high: number
    critical: number
  }
  /** Open reports, by who has claimed them. */
  claimed: {
    me: number
    others: number
    none: number
  }
  /** Grows with every arrival, decision, correction, note and claim. A position in `GET /v1/desk/stream`. */
  revision: number
}

/** An incident in any status, with the fields that only the desk sees. */
export interface DeskIncident {
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
  desk: {
    /** How the report arrived. */
    origin: 'api' | 'feed' | 'tip' | 'import'
    claim: Claim | null
    text: string | null
    /** The indexes of the official `sources`, from 0. */
    official_sources: readonly number[]
    /** Whether a person set the severity; otherwise it comes from the table. */
    severity_given: boolean
    merged_into: string | null
    /** The incidents that were merged into this one. */
    merged_from: readonly string[]
    undo?: Undo | null | undefined
    source_id: string | null
    reading: {
      /** The news source, such as `src_01jd8z0c5x…`. */
      source_id: string
      item_id: string
      /** How sure the reading is. */
      score: number
      /** The parts of `text` that each field was read from. */
      evidence: readonly {
        /** Such as `type`, `place` or `killed`. */
        field: string
        start: number
        end: number
        text: string
        score: number
      }[]
    } | null
    /** Incidents that may be the same, likeliest first. Nothing is merged automatically. */
    possible_duplicates: readonly PossibleDuplicate[]
  }
}

/** `DeskList` as the API has it. */
export interface DeskList {
  data: readonly DeskIncident[]
  has_more: boolean
  next_cursor: string | null
}

/** `DuplicatePair` as the API has it. */
export interface DuplicatePair {
  incident: DeskIncident
  other: DeskIncident
  /** The probability that both are one event, as they are now. */
  score: number
  /** Why, and what speaks against it; as in `possible_duplicates`. */
  reasons: readonly {
    reason: 'place_name' | 'distance' | 'lga' | 'time' | 'type' | 'words' | 'casualties' | 'source'
    finding: string
    weight: number
  }[]
  /** The fields in which the two differ. */
  differs: readonly ('type' | 'severity' | 'state' | 'lga' | 'place' | 'point' | 'occurred_at' | 'casualties' | 'summary')[]
  import_id: string | null
  offered_at: string | null
  dismissed_at: string | null
}

/** `DuplicatePairList` as the API has it. */
export interface DuplicatePairList {
  data: readonly DuplicatePair[]
  has_more: boolean
  next_cursor: string | null
}

/** The words that a field was read from. */
export interface Evidence {
  field: 'type' | 'place' | 'occurred_at' | 'killed' | 'injured' | 'abducted'
  /** Where the words stand. */
  source: 'title' | 'text'
  /** The first character, counted from 0 in UTF-16 units. */
  start: number
  /** The character after the last. */
  end: number
  text: string
  score: number
}

/** GeoJSON (RFC 7946): polygons with their `code` and `name`, or roads with their `class`. */
export interface FeatureCollection {
  type: 'FeatureCollection'
  features: readonly unknown[]
}

/** `FieldChange` as the API has it. */
export interface FieldChange {
  /** A field of the incident; `desk.…` for one that only the desk sees. */
  field: string
  /** The value before; null if there was none. */
  old: unknown
  /** The value after; null if there is none. */
  new: unknown
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

/** `GazetteerList` as the API has it. */
export interface GazetteerList {
  data: readonly GazetteerPlace[]
  has_more: boolean
  next_cursor: string | null
}

/** `GazetteerPlace` as the API has it. */
export interface GazetteerPlace {
  /** The id, such as `plc_01jd8z0c5xqvjv8y2kvhr3w1ad`. */
  id: string
  /** The name, as news writes it. */
  name: string
  /** Old names and other spellings, by which the place is found as well. */
  aliases: readonly string[]
  /** What it is. All but `settlement`, `market` and `camp` are wider than a point. */
  kind: 'settlement' | 'forest' | 'river' | 'lake' | 'mountain' | 'market' | 'camp' | 'road'
  lat: number
  lng: number
  state: string | null
  lga: string | null
  population: number | null
  radius_km: number | null
  /** Who added it: the `desk`, or an import. */
  source: 'desk' | 'geonames' | 'geojson'
  source_id: string | null
  /** When it was last changed. */
  updated_at: string
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

/** A proposed report. What the text does not say is null. */
export interface IncidentCandidate {
  type: IncidentType
  category: IncidentCategory
  state: string | null
  lga: string | null
  lat: number | null
  lng: number | null
  precision: 'exact' | 'settlement' | 'lga' | 'state' | null
  radius_km: number | null
  matched: {
    name: string
    /** By its name, by another name of the place, or by similar letters only. */
    how: 'exact' | 'alias' | 'similar'
  } | null
  /** Where the place is a question, the places that the text may mean, best first. */
  place_choices: readonly PlaceChoice[]
  occurred_at: string | null
  time_precision: 'exact' | 'hour' | 'day' | 'week' | 'month' | 'year' | null
  casualties: Casualties
  score: number
  evidence: readonly Evidence[]
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
    /** Where the log was then. Opaque; send it as `after` or `Last-Event-ID` to go on from here. */
    position: string
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
  /** Words of the summary, up to 8. A word, or `word*`, must begin one of them; `"a phrase"` must be in it as whole words, side by side. Case and accents do not count: `kidnap jemaa` finds "Kidnappers in Jema'a". */
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

/** `InvitedAccount` as the API has it. */
export interface InvitedAccount {
  account: Account
  invitation: IssuedLink
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
  /** Only after signing up: false, because nobody has proved the address yet. `email_note` says what follows. */
  email_verified?: boolean | undefined
  /** Only after signing up: what an address that nobody has proved is good for. */
  email_note?: string | undefined
}

/** `IssuedLink` as the API has it. */
export interface IssuedLink {
  url: string | null
  /** Whether the link was mailed to the person. */
  mailed: boolean
  /** Until when the link can be used, once. */
  expires_at: string
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
    /** Whether the address is only a claim: whoever opened the account typed it, and neither a mailed link nor an operator has shown that it is theirs. A mailed link to it leads to another account; when that is opened, this one names the address no more. */
    email_claimed: boolean
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

/** `NewsItem` as the API has it. */
export interface NewsItem {
  /** Starts with `itm_`. */
  id: string
  /** What became of it; docs/sources.md explains each. */
  state: 'queued' | 'proposed' | 'duplicate' | 'no_incident' | 'no_place' | 'too_old'
  title: string
  url: string | null
  published_at: string | null
  /** When it was found. */
  first_seen_at: string
  /** The incidents that it was queued as or proposed for. */
  incident_ids: readonly string[]
  duplicate_of: string | null
}

/** `NewsItemList` as the API has it. */
export interface NewsItemList {
  data: readonly NewsItem[]
  has_more: boolean
  next_cursor: string | null
}

/** `NewsSource` as the API has it. */
export interface NewsSource {
  /** Starts with `src_`. */
  id: string
  kind: 'feed'
  /** The https address of an RSS, Atom, RDF or JSON feed; the rules of webhook endpoints apply. */
  url: string
  /** Named as the publisher of every report from this source; it decides the weight (docs/confidence.md). */
  publisher: string
  /** How often the feed is fetched. Default: 15. */
  every_minutes: number
  /** A paused source is not fetched. */
  paused: boolean
  /** When it was added. */
  created_at: string
  health: {
    /** `failing`: the last fetch failed, and `problem` says why. */
    status: 'new' | 'healthy' | 'failing' | 'paused'
    last_fetched_at: string | null
    last_succeeded_at: string | null
    last_new_at: string | null
    next_fetch_at: string | null
    /** Failed attempts in a row. */
    failures: number
    failing_since: string | null
    problem: {
      /** Why the last attempt failed; docs/sources.md explains each. */
      code: 'unknown_host' | 'refused_address' | 'connection_failed' | 'bad_certificate' | 'timeout' | 'too_many_redirects' | 'rate_limited' | 'gone' | 'not_found' | 'forbidden' | 'server_error' | 'unexpected_answer' | 'too_large' | 'bad_encoding' | 'not_a_feed' | 'unreadable' | 'items_failed'
      /** What was seen. */
      detail: string
    } | null
    moved_to: string | null
    /** Items that were read. */
    items: number
    /** Reports that were queued. */
    queued: number
    /** Further sources that were proposed. */
    proposed: number
    /** Reports of this source that are public. */
    confirmed: number
  }
}

/** `OwnAccount` as the API has it. */
export interface OwnAccount {
  /** The id, such as `acc_01jd8z0c5x…`. */
  id: string
  email: string | null
  /** Whether a mailed link has proved the address. Other mail goes to verified addresses only. */
  email_verified: boolean
  /** Whether the address is only a claim: whoever opened the account typed it, and neither a mailed link nor an operator has shown that it is theirs. A mailed link to it leads to another account; when that is opened, this one names the address no more. */
  email_claimed: boolean
  name: string | null
  /** What keys of the account may do at most: a client `read` and `watch`; a reporter also `report`; an editor also `review`; an admin also `admin`. */
  role: 'client' | 'reporter' | 'editor' | 'admin'
  /** `deleted`: its owner has deleted it. Its id is kept, for keys and entries of the audit log that name it. */
  status: 'active' | 'blocked' | 'deleted'
  /** When the account was opened. */
  created_at: string
}

/** `Passkey` as the API has it. */
export interface Passkey {
  /** The id, such as `pas_01jd8z0c5x…`. */
  id: string
  /** Your name for the device. */
  name: string
  /** Whether the device shares it with your other devices. */
  synchronised: boolean
  /** When the passkey was added. */
  created_at: string
  last_used_at: string | null
}

/** Returned if the operator requires e-mail addresses to be confirmed first. */
export interface PendingKey {
  status: 'mailed'
  detail: string
}

/** `PlaceChoice` as the API has it. */
export interface PlaceChoice {
  name: string
  /** By its name, by another name of the place, or by similar letters only. */
  how: 'exact' | 'alias' | 'similar'
  state: string
  lga: string | null
  lat: number
  lng: number
  precision: 'exact' | 'settlement' | 'lga' | 'state'
  radius_km: number
}

/** `PossibleDuplicate` as the API has it. */
export interface PossibleDuplicate {
  id: string
  /** The probability that the two are one event (docs/reports.md). */
  score: number
  /** Why it is a candidate, and what speaks against it; the strongest first. */
  reasons: readonly {
    /** What was compared. */
    reason: 'place_name' | 'distance' | 'lga' | 'time' | 'type' | 'words' | 'casualties' | 'source'
    /** What the comparison found, such as `same`, `similar` or `different`. */
    finding: string
    /** Above 0 it speaks for one event: 1 doubles the odds, -1 halves them. */
    weight: number
  }[]
  /** The fields in which the two differ. */
  differs: readonly ('type' | 'severity' | 'state' | 'lga' | 'place' | 'point' | 'occurred_at' | 'casualties' | 'summary')[]
  status: 'reported' | 'confirmed' | 'retracted' | 'rejected' | 'merged'
  type: IncidentType
  state: string
  lga: string | null
  place: string | null
  /** When it happened. */
  occurred_at: string
  time_precision: 'exact' | 'hour' | 'day' | 'week' | 'month' | 'year'
  casualties: Casualties
  summary: string
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
  /** With `position_lost`: the last position up to which your copy is right; go on from there. */
  resume_after?: string | undefined
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

/** `ProposedSource` as the API has it. */
export interface ProposedSource {
  /** Starts with `prp_`. */
  id: string
  /** The incident that the story seems to tell of. */
  incident_id: string
  state: 'open' | 'accepted' | 'dismissed'
  /** When the story was read. */
  proposed_at: string
  decided_at: string | null
  /** The probability that both are one event. */
  score: number
  /** Why, and what speaks against it; as in `possible_duplicates`. */
  reasons: readonly {
    reason: 'place_name' | 'distance' | 'lga' | 'time' | 'type' | 'words' | 'casualties' | 'source'
    finding: string
    weight: number
  }[]
  source: Source
  summary: string
  text: string | null
  casualties: Casualties
  /** When it happened, by this story. */
  occurred_at: string
  /** Where it happened, by this story. */
  place: string
}

/** `ProposedSourceList` as the API has it. */
export interface ProposedSourceList {
  data: readonly ProposedSource[]
  has_more: boolean
  next_cursor: string | null
}

/** `Publisher` as the API has it. */
export interface Publisher {
  /** Any of the publisher's names; matched like the names of sources. */
  name: string
  /** The kind of publisher, which decides its weight (docs/confidence.md). */
  class: 'official' | 'international' | 'national' | 'research' | 'local' | 'unknown' | 'aggregator' | 'social'
  /** When the entry was last set. */
  updated_at: string
}

/** `Quota` as the API has it. */
export interface Quota {
  limit: number
  /** Streams: on this node. Others: over all keys and nodes. */
  used: number
  window_seconds: number | null
  /** Only of `keys`: the most valid keys while some replace others. Rotating, a mailed link to a new key and an admin may add keys up to it; `POST /v1/keys` only up to `limit`. */
  limit_with_replacements?: number | undefined
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

/** The fact of a redaction: what was taken out is not in it. */
export interface Redaction {
  /** Such as `red_01jd8z0c5x…`. */
  id: string
  /** The incident that the request named. */
  incident_id: string
  /** All incidents that lost content, by merges too. */
  incidents: readonly string[]
  /** When the content was taken out. */
  at: string
  by: {
    key_id: string
    name: string
  }
  fields: readonly ('summary' | 'text' | 'sources' | 'notes' | 'place' | 'point' | 'casualties' | 'contact')[]
  /** How often each of `words` was found, in their order. The words are not kept. */
  found: readonly number[]
  reason: string
  erased_at: string | null
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

/** The location is given by coordinates, by names, in free text, or by several of these, which must then agree. `summary` or `text` is required. */
export interface Report {
  /** What happened; see `GET /v1/taxonomy`. */
  type: IncidentType
  /** The time of the event: an RFC 3339 time or a date, not in the future. */
  occurred_at: string
  occurred_until?: string | null | undefined
  /** The precision of the time; derived from the form of `occurred_at` by default. */
  time_precision?: 'exact' | 'hour' | 'day' | 'week' | 'month' | 'year' | undefined
  lat?: number | null | undefined
  lng?: number | null | undefined
  state?: string | null | undefined
  lga?: string | null | undefined
  place?: string | null | undefined
  precision?: 'exact' | 'settlement' | 'lga' | 'state' | null | undefined
  summary?: string | null | undefined
  text?: string | null | undefined
  sources?: readonly ReportedSource[] | undefined
  /** The figures that hold. An unknown one is null or omitted, never 0. */
  casualties?: {
    killed?: number | null | undefined
    injured?: number | null | undefined
    abducted?: number | null | undefined
  } | undefined
  /** What each source says, where they differ. Each source is named once. */
  casualties_reported?: readonly {
    /** Who gives these figures. */
    source: string
    killed?: number | null | undefined
    injured?: number | null | undefined
    abducted?: number | null | undefined
  }[] | undefined
  severity?: Severity | null | undefined
}

/** `ReportResults` as the API has it. */
export interface ReportResults {
  taken: number
  refused: number
  /** One result per report, in the order sent. */
  data: readonly ({
    status: 201
    incident: DeskIncident
  } | {
    status: 422
    problem: Problem
  })[]
}

/** `ReportedCasualties` as the API has it. */
export interface ReportedCasualties {
  /** Who gives these figures. */
  source: string
  killed: number | null
  injured: number | null
  abducted: number | null
}

/** Requires `url` or `publisher`. */
export interface ReportedSource {
  url?: string | null | undefined
  publisher?: string | null | undefined
  published_at?: string | null | undefined
  /** Whether the source speaks for police, army or government. */
  official?: boolean | undefined
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
  /** Why it was retracted, if not by a decision: the database of the service has lost its latest writes, and this incident was among them. It may come back. */
  reason?: 'lost' | undefined
}

/** A line, and the width of the strip around it. */
export interface Route {
  line: readonly (readonly number[])[]
  /** The distance to either side. */
  buffer_km: number
}

/** `ServiceStatus` as the API has it. */
export interface ServiceStatus {
  /** `behind` if the answering node has not read the log for more than 5 seconds. */
  status: 'ok' | 'behind'
  /** When the status was written; it is up to 10 seconds old. */
  at: string
  in_step_since: string | null
  /** When the node was last in step with the log. */
  in_step_at: string
  last_confirmed_at: string | null
  /** Public incidents that were published in the last 24 hours. */
  incidents_24h: number
  deliveries_24h: {
    /** The number of deliveries that were measured. */
    measured: number
    p50_seconds: number | null
    p99_seconds: number | null
  } | null
  sources: {
    new: number
    healthy: number
    failing: number
    paused: number
  } | null
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

/** `SignedIn` as the API has it. */
export interface SignedIn {
  session: Session
  account: {
    /** The id, such as `acc_01jd8z0c5x…`. */
    id: string
    email: string | null
    /** Whether a mailed link has proved the address. Other mail goes to verified addresses only. */
    email_verified: boolean
    /** Whether the address is only a claim: whoever opened the account typed it, and neither a mailed link nor an operator has shown that it is theirs. A mailed link to it leads to another account; when that is opened, this one names the address no more. */
    email_claimed: boolean
    name: string | null
    /** What keys of the account may do at most: a client `read` and `watch`; a reporter also `report`; an editor also `review`; an admin also `admin`. */
    role: 'client' | 'reporter' | 'editor' | 'admin'
    /** `deleted`: its owner has deleted it. Its id is kept, for keys and entries of the audit log that name it. */
    status: 'active' | 'blocked' | 'deleted'
    /** When the account was opened. */
    created_at: string
  }
  /** What the session may do. */
  scopes: readonly ('read' | 'watch' | 'report' | 'review' | 'admin' | 'operate')[]
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

/** `StartedAlert` as the API has it. */
export interface StartedAlert {
  status: 'started'
  /** The area and the severity, in words. */
  area: string
  /** A page that shows the alert and ends it; a POST to it ends the alert at once. It is a secret. */
  link: string
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
    /** Where the log was then. Opaque; send it as `after` or `Last-Event-ID` to go on from here. */
    position: string
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
  /** Words of the summary, up to 8. A word, or `word*`, must begin one of them; `"a phrase"` must be in it as whole words, side by side. Case and accents do not count: `kidnap jemaa` finds "Kidnappers in Jema'a". */
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

/** `Step` as the API has it. */
export interface Step {
  id: string | null
  step: 'report' | 'update' | 'confirm' | 'reject' | 'merge' | 'absorb' | 'retract' | 'reopen' | 'restore' | 'unmerge' | 'note' | 'take_over' | 'dismiss_duplicate' | 'offer_duplicate' | 'redact' | 'import' | 'undo_import'
  /** The version that the step produced. */
  version: number
  /** When it happened. */
  at: string
  by: {
    key_id: string
    account_id: string | null
    name: string
  }
  note: string | null
  /** The fields that an update changed. */
  fields: readonly string[]
  /** Every changed field with its old and new value. */
  changes: readonly FieldChange[]
  other: string | null
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

/** `Tip` as the API has it. */
export interface Tip {
  /** The report that the tip became. */
  incident_id: string
  /** When it was sent. */
  received_at: string
  contact: string | null
  /** When the contact and the reference number are deleted. */
  kept_until: string
  /** How often something was added: notes in the history. */
  additions: number
}

/** `TipChallenge` as the API has it. */
export interface TipChallenge {
  challenge: string
  seed: string
  bits: number
  puzzles: number
  /** Until when it can be answered. */
  expires_at: string
}

/** The proof of work: for each puzzle from 0 to 7, a whole number for which the SHA-256 of the text `<seed>.<puzzle>.<number>` begins with `bits` zero bits. */
export interface TipProof {
  /** The `challenge` of `GET /v1/tips/challenge`, unchanged. */
  challenge: string
  solutions: readonly number[]
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
    /** Where the log was then. Opaque; send it as `after` or `Last-Event-ID` to go on from here. */
    position: string
    newest_published_at: string | null
    /** When this node was last in step with the log: it contained every event committed before. Normally a second ago at most. */
    in_step_at: string
  }
}

/** `Undo` as the API has it. */
export interface Undo {
  /** The step that would be undone: `POST …/{id}/undo {"step": "…"}`. */
  step: string
  /** The kind of that step. */
  undoes: 'report' | 'update' | 'confirm' | 'reject' | 'merge' | 'absorb' | 'retract' | 'reopen' | 'restore' | 'unmerge' | 'note' | 'take_over' | 'dismiss_duplicate' | 'offer_duplicate' | 'redact' | 'import' | 'undo_import'
  /** What undoing it does. */
  move: 'retract' | 'reopen' | 'restore' | 'unmerge' | 'put_back'
  /** The path to POST `{"step": …}` to. */
  path: string
}

/** `UnplacedStory` as the API has it. */
export interface UnplacedStory {
  /** The id of the item of the feed; starts with `itm_`. */
  id: string
  source_id: string
  publisher: string
  title: string
  url: string | null
  /** The story, with its title. `POST /v1/desk/extract` reads it. */
  text: string
  published_at: string | null
  /** When it was read. */
  found_at: string
  /** What the story was queued as or proposed for, where it reports another incident with a place. */
  incident_ids: readonly string[]
}

/** `UnplacedStoryList` as the API has it. */
export interface UnplacedStoryList {
  data: readonly UnplacedStory[]
  has_more: boolean
  next_cursor: string | null
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

/** `WatchExplanation` as the API has it. */
export interface WatchExplanation {
  watch_id: string
  incident_id: string
  matches: boolean | null
  /** The filter's conditions on the newest version: it matches if all hold. */
  conditions: readonly {
    /** The filter parameter, such as `state` or `polygon`. */
    condition: string
    /** What the filter asks for; of a polygon or route, in words. */
    wanted: unknown
    /** What the incident has. */
    actual: unknown
    holds: boolean
  }[]
  /** The newest 50 events of the incident, oldest first. */
  events: readonly {
    seq: number
    event: 'incident.created' | 'incident.updated' | 'incident.retracted'
    /** When the event was committed. */
    at: string
    /** By the filter as it is now; a correction or retraction matches if any earlier version does. */
    matches: boolean
    /** Whether the watch lists this event. */
    listed: boolean
    /** Whether the watch existed. */
    after_creation: boolean
    delivery: {
      id: string
      status: 'pending' | 'delivered' | 'failed' | 'cancelled'
    } | null
    /** The status of its delivery, or the reason why there is none. */
    outcome: 'pending' | 'delivered' | 'failed' | 'cancelled' | 'before_watch' | 'not_listed' | 'not_matched' | 'missed'
  }[]
  watch: {
    status: 'active' | 'failing' | 'paused' | 'disabled'
    /** When the watch was created. */
    created_at: string
  }
  /** What became of the newest event, in words. */
  verdict: string
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
