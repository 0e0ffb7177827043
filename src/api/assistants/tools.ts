import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import Type from 'typebox'
import type { IncidentList, Statistics as StatisticsAnswer } from '../../../client/src/generated/types.ts'
import type { ArchiveView } from '../../archive/archive.ts'
import { invalidParameters } from '../../domain/errors.ts'
import type { Incident } from '../../domain/incident.ts'
import { MEANINGS, type Places } from '../../domain/places.ts'
import type { Filter } from '../../filter/filter.ts'
import { GROUPING_PARAMETERS, parseGroupingBody } from '../../filter/grouping.ts'
import { PAGING_PARAMETERS, parseListingBody } from '../../filter/listing.ts'
import { publishedFrom } from '../../filter/matches.ts'
import { FILTER_PARAMETERS } from '../../filter/parameters.ts'
import { parseFilterObject } from '../../filter/parse-filter.ts'
import { parseTrendQuestionBody, TREND_FILTER_PARAMETERS, TREND_PARAMETERS } from '../../filter/trend-question.ts'
import { foundPlaces } from '../../geo/finding/find-place.ts'
import type { Steps } from '../../lib/steps.ts'
import { timeText } from '../../lib/time.ts'
import {
  Closed,
  Count,
  Flag,
  NAMED_SCHEMAS,
  Nullable,
  NullableText,
  OneOf,
  OptionalText,
  Text,
  Time,
} from '../contract/schema.ts'
import { Incident as IncidentSchema, meta, queryBody } from '../incidents/contract.ts'
import { findPublicSlot, renderIncidentList } from '../incidents/incidents.ts'
import { locatedPoint, parseArea, parsePoint, parseSearch } from '../places.ts'
import { areaOfBody, type QueryClient } from '../request.ts'
import type { Environment, Services } from '../services.ts'
import { renderStatistics, Statistics } from '../statistics.ts'
import { readTrends } from '../trends/followed-trends.ts'
import { TrendsSchema, writeTrends } from '../trends/trends.ts'

export interface ToolContext {
  /** The saved areas of its caller count. */
  readonly request: FastifyRequest
  readonly environment: Environment
  readonly services: Services
  readonly asker: QueryClient
  /** Told of a fault of ours; the assistant only learns that there is one. */
  onError(error: unknown): void
}

/** A place where an assistant finds more: an incident, or a page for people. */
export interface ResourceLink {
  readonly uri: string
  readonly name: string
  readonly mimeType: string
  readonly description?: string
}

interface ToolAnswer {
  readonly content: object
  readonly links: readonly ResourceLink[]
}

export type ToolArguments = Readonly<Record<string, unknown>>

/** A question that an assistant may ask. No tool changes anything. */
export interface Tool {
  readonly name: string
  readonly title: string
  /** Tells the assistant when to use the tool and what the answer leaves out. */
  readonly description: string
  readonly input: TSchema
  readonly output: TSchema
  /** Throws a `Problem` for wrong arguments; its hints reach the assistant. */
  call(given: ToolArguments, context: ToolContext): ToolAnswer | Promise<ToolAnswer>
}

type ObjectSchema = { type: 'object' } & Record<string, unknown>

/** Writes a schema with all that it refers to in `$defs`: a tool is understood by itself. */
export function wholeSchema(schema: TSchema): ObjectSchema {
  const definitions: Record<string, unknown> = {}
  const localise = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(localise)
    if (typeof value !== 'object' || value === null) return value
    if ('$ref' in value) return refer(value.$ref as string)
    const entries = Object.entries(value).filter(([name]) => name !== '$id' && name !== 'example')
    return Object.fromEntries(entries.map(([name, inner]) => [name, localise(inner)]))
  }
  const refer = (name: string) => {
    // Set before it is written, so that a schema may refer to itself.
    if (!(name in definitions)) {
      definitions[name] = true
      definitions[name] = localise(NAMED_SCHEMAS[name])
    }
    return { $ref: `#/$defs/${name}` }
  }
  const whole = localise(schema) as ObjectSchema
  return Object.keys(definitions).length === 0 ? whole : { ...whole, $defs: definitions }
}

/** Longer summaries are cut: twenty of them share the assistant's attention. */
const MAX_SUMMARY_LENGTH = 400

const { id, type, severity, state, lga, lat, lng, confidence, casualties, occurred_at, published_at } =
  IncidentSchema.properties

/** An incident in a list, in short; `get_incident` has the rest. */
const IncidentBrief = Type.Object({
  id,
  type,
  severity,
  state,
  lga,
  place: NullableText('The settlement, road or landmark, if known.'),
  lat,
  lng,
  confidence,
  casualties,
  occurred_at,
  published_at,
  summary: Text(`Cut after ${MAX_SUMMARY_LENGTH} characters.`),
  page: Text('The page about it, to show to people.'),
})

function briefOf(incident: Incident, publicUrl: string): object {
  const { id, type, severity, state, lga, lat, lng, confidence, casualties, occurred_at, published_at } = incident
  const summary =
    incident.summary.length <= MAX_SUMMARY_LENGTH
      ? incident.summary
      : `${incident.summary.slice(0, MAX_SUMMARY_LENGTH - 1)}…`
  const { place } = incident.location
  const page = pageOf(incident, publicUrl)
  return {
    id,
    type,
    severity,
    state,
    lga,
    place,
    lat,
    lng,
    confidence,
    casualties,
    occurred_at,
    published_at,
    summary,
    page,
  }
}

export const INCIDENT_URI = 'incident-feed://incidents/'

function incidentLink({ id, type, state }: Incident): ResourceLink {
  return { uri: `${INCIDENT_URI}${id}`, name: `${type} in ${state}`, mimeType: 'application/json' }
}

function pageLink(incident: Incident, publicUrl: string): ResourceLink {
  return { uri: pageOf(incident, publicUrl), name: 'The page about the incident', mimeType: 'text/html' }
}

function pageOf({ id }: Incident, publicUrl: string): string {
  return `${publicUrl}/incidents/${id}`
}

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 20

const { order, cursor } = PAGING_PARAMETERS
const limit = {
  description: `Incidents per page, from 1 to ${MAX_LIMIT}; the default is ${DEFAULT_LIMIT}.`,
  example: '10',
  number: { type: 'integer', minimum: 1, maximum: MAX_LIMIT },
} as const

const searchIncidents: Tool = {
  name: 'search_incidents',
  title: 'Search incidents',
  description:
    'Lists confirmed security incidents in Nigeria that match all filters, newest first, in short. ' +
    'For more, call it again with the same filters and cursor = next_cursor. For numbers use statistics or area_summary instead of counting pages.',
  input: queryBody(
    { ...FILTER_PARAMETERS, order, limit, cursor },
    { description: 'Which incidents.', example: { state: ['Kaduna'], since: '7d' } },
  ),
  output: Type.Object({
    incidents: Type.Array(IncidentBrief),
    has_more: Type.Boolean(),
    next_cursor: NullableText('Send it as cursor, with the same filters, for the next page.'),
    meta,
  }),
  async call({ limit: given = DEFAULT_LIMIT, ...filters }, { request, environment, services, asker }) {
    const { places } = environment.geography
    const area = await areaOfBody(request, services.store, filters, '', places)
    const listing = parseListingBody({ ...filters, limit: given }, places, area)
    if (listing.limit > MAX_LIMIT) throw invalidParameters([TOO_MANY])
    const { archive, freshness } = services
    const now = environment.clock()
    const { body } = await environment.queries.run(archive, asker, (view) => renderIncidentList(view, listing, now))
    const page = JSON.parse(body.toString()) as IncidentPage
    return {
      content: {
        incidents: page.data.map((incident) => briefOf(incident, environment.publicUrl())),
        has_more: page.has_more,
        next_cursor: page.next_cursor,
        meta: { ...page.meta, in_step_at: freshness.stamp },
      },
      links: page.data.map(incidentLink),
    }
  },
}

type IncidentPage = Omit<IncidentList, 'data'> & { readonly data: readonly Incident[] }

const TOO_MANY = {
  pointer: '/limit',
  message: `must be a whole number from 1 to ${MAX_LIMIT}; for more, follow next_cursor`,
}

/** More sources than anybody reads; a merged incident may have hundreds. */
const MAX_SOURCES = 20

const getIncident: Tool = {
  name: 'get_incident',
  title: 'Read one incident',
  description:
    'Returns one incident whole: what happened, where and how precisely, when, casualties, sources, and why the service trusts it as much as it does. ' +
    'A retracted incident is refused with a sentence that says so; do not go on reporting it.',
  input: Closed({ id: Text('The id, such as inc_01jd8z0c5x…, from search_incidents.') }),
  output: Type.Object({
    incident: Type.Ref('Incident'),
    sources_total: Count(`All sources; up to ${MAX_SOURCES} are listed.`),
  }),
  call({ id }, context) {
    if (typeof id !== 'string') throw invalidParameters([{ pointer: '/id', message: 'must be the id of an incident' }])
    const incident = readIncident(context, id)
    return {
      content: {
        incident: { ...incident, sources: incident.sources.slice(0, MAX_SOURCES) },
        sources_total: incident.sources.length,
      },
      links: [incidentLink(incident), pageLink(incident, context.environment.publicUrl())],
    }
  },
}

export function readIncident({ services: { archive } }: Pick<ToolContext, 'services'>, id: string): Incident {
  return archive.view.incidentOf(findPublicSlot(archive, id))
}

const DEFAULT_SINCE = '30d'
const MOST_FREQUENT = 5
const NEWEST = 5

const AREA = (({ state, lga, bbox, near, radius_km, area }) => ({ state, lga, bbox, near, radius_km, area }))(
  FILTER_PARAMETERS,
)
const since = {
  ...FILTER_PARAMETERS.since,
  description: `${FILTER_PARAMETERS.since.description} The default is ${DEFAULT_SINCE}.`,
}
const counts = (description: string) =>
  Type.Array(Type.Object({ key: Type.String(), label: Type.String(), count: Type.Integer() }), { description })
const { total } = Statistics.properties

const areaSummary: Tool = {
  name: 'area_summary',
  title: 'Summarise an area',
  description:
    'Describes how safe an area of Nigeria has been: incidents and casualties since a time, by severity, the most frequent types and LGAs, the same length of time before, and the newest incidents. ' +
    'Without an area it describes the whole country. Few incidents may also mean that few were reported.',
  input: queryBody({ ...AREA, since }, { description: 'Which area.', example: { state: ['Zamfara'] } }),
  output: Type.Object({
    from: Time('Since when the incidents were published.'),
    to: Time('Now.'),
    total,
    previous: Type.Object(
      { from: Time('When the earlier period begins.'), total },
      { description: 'The same length of time before.' },
    ),
    by_severity: counts('Least severe first.'),
    by_type: counts(`The ${MOST_FREQUENT} most frequent.`),
    by_lga: counts(`The ${MOST_FREQUENT} with the most incidents, where the LGA is known.`),
    newest: Type.Array(IncidentBrief, { description: `The newest ${NEWEST}.` }),
    meta,
  }),
  async call(given, { request, environment, services: { store, archive, freshness }, asker }) {
    const { places } = environment.geography
    const names = [...Object.keys(AREA), 'since']
    const saved = await areaOfBody(request, store, given, '', places)
    const { filter } = parseFilterObject({ since: DEFAULT_SINCE, ...given }, '', places, names, saved)
    if ('errors' in filter) throw invalidParameters(filter.errors)
    const now = environment.clock()
    if (publishedFrom(filter.value, now) >= now)
      throw invalidParameters([{ pointer: '/since', message: 'must be in the past' }])
    const { incidents, ...summary } = await environment.queries.run(archive, asker, (view) =>
      findSummary(view, filter.value, places, now),
    )
    return {
      content: {
        ...summary,
        newest: incidents.map((incident) => briefOf(incident, environment.publicUrl())),
        meta: { ...summary.meta, in_step_at: freshness.stamp },
      },
      links: incidents.map(incidentLink),
    }
  },
}

type Summed = 'severity' | 'type' | 'lga'

/** One question, so that all figures are of the same moment. */
function* findSummary(view: ArchiveView, filter: Filter, places: Places, now: number) {
  const from = publishedFrom(filter, now)
  const before = { ...filter, since: null, publishedFrom: 2 * from - now, publishedTo: from }
  const countBy = function* (group: Summed, within: Filter, most?: number): Steps<StatisticsAnswer> {
    const grouping = { groups: [group], timeZone: 'UTC' as const, filter: within }
    const { body } = yield* renderStatistics(view, grouping, places, now, most)
    return JSON.parse(body.toString()) as StatisticsAnswer
  }
  const bySeverity = yield* countBy('severity', filter)
  const byType = yield* countBy('type', filter, MOST_FREQUENT)
  const byLga = yield* countBy('lga', filter, MOST_FREQUENT)
  const previous = yield* countBy('severity', before)
  const incidents = yield* view.newestIncidents(filter, NEWEST, now)
  return {
    from: timeText(from),
    to: timeText(now),
    total: bySeverity.total,
    previous: { from: timeText(before.publishedFrom), total: previous.total },
    by_severity: countsOf(bySeverity, 'severity'),
    by_type: countsOf(byType, 'type'),
    by_lga: countsOf(byLga, 'lga'),
    incidents,
    meta: bySeverity.meta,
  }
}

function countsOf({ data }: StatisticsAnswer, group: Summed): object[] {
  return data.flatMap(({ [group]: value, count }) => (value ? [{ key: value.key, label: value.label, count }] : []))
}

const MAX_BUCKETS = 100

const statistics: Tool = {
  name: 'statistics',
  title: 'Count incidents and casualties',
  description:
    'Counts incidents and casualties by one or two groups (state, lga, type, category, severity, hour, day, week, month, year). ' +
    `At most ${MAX_BUCKETS} buckets: places and types with the most incidents come first and the rest is left out, with truncated = true; too many periods are refused. ` +
    'total always counts everything that matches. Casualties are those that are known: the true number may be higher.',
  input: queryBody(
    { ...GROUPING_PARAMETERS, ...FILTER_PARAMETERS },
    { description: 'Which incidents, and how to count them.', example: { group_by: ['state'], since: '30d' } },
  ),
  output: Type.Object({
    ...Statistics.properties,
    truncated: Flag(`Whether there are more than ${MAX_BUCKETS} buckets.`),
    buckets: Count('All buckets that there are.'),
  }),
  async call(given, { request, environment, services: { store, archive, freshness }, asker }) {
    const { places } = environment.geography
    const grouping = parseGroupingBody(given, places, await areaOfBody(request, store, given, '', places))
    const now = environment.clock()
    const { body, buckets } = await environment.queries.run(archive, asker, (view) =>
      renderStatistics(view, grouping, places, now, MAX_BUCKETS),
    )
    const counted = JSON.parse(body.toString()) as { meta: object }
    return {
      content: {
        ...counted,
        meta: { ...counted.meta, in_step_at: freshness.stamp },
        truncated: buckets > MAX_BUCKETS,
        buckets,
      },
      links: [],
    }
  },
}

const MAX_GROUPS = 40

export const trends: Tool = {
  name: 'trends',
  title: 'Compare with the usual',
  description:
    'Tells whether there were more incidents than usual: counts by week or month of the event against the same season of up to five earlier years, for the country or each state, LGA, type, category or severity. ' +
    `At most ${MAX_GROUPS} groups, those called higher first, with truncated = true if there are more; only = a place or type tells of these. ` +
    'For one place use group_by and only rather than a filter: the verdict then counts the places among which it stands out. Quote text. A null verdict means that nothing can be said, never that all is well; fewer incidents may mean fewer reports.',
  input: queryBody(
    { ...TREND_PARAMETERS, ...TREND_FILTER_PARAMETERS },
    {
      description: 'What to compare.',
      example: { group_by: 'state', only: ['Kaduna'], period: 'month' },
    },
  ),
  output: Type.Object({
    ...TrendsSchema.properties,
    truncated: Flag(`Whether there are more than ${MAX_GROUPS} groups.`),
    groups: Count('All groups that there are.'),
    higher: Count('Those of them with a period that is higher than usual.'),
  }),
  async call(given, { request, environment, services: { store, archive, freshness }, asker }) {
    const { places } = environment.geography
    const now = environment.clock()
    const saved = await areaOfBody(request, store, given, '', places)
    const question = parseTrendQuestionBody(given, places, now, saved)
    const { answer, groups, higher } = await environment.queries.run(archive, asker, function* (view) {
      const found = yield* readTrends(view, question, now)
      const { only } = question
      const asked = only === null ? found.groups : found.groups.filter(({ key }) => only.includes(key))
      const isHigher = ({ periods }: (typeof asked)[number]) => periods.some(({ verdict }) => verdict === 'higher')
      const first = [...asked.filter(isHigher), ...asked.filter((group) => !isHigher(group))].slice(0, MAX_GROUPS)
      const answer = yield* writeTrends({ ...found, groups: first }, question, places, view)
      return { answer, groups: asked.length, higher: asked.filter(isHigher).length }
    })
    const written = JSON.parse(answer.cached.body.toString()) as { meta: object }
    return {
      content: {
        ...written,
        meta: { ...written.meta, in_step_at: freshness.stamp },
        truncated: groups > MAX_GROUPS,
        groups,
        higher,
      },
      links: [],
    }
  },
}

const MAX_PLACES = 5

const locate: Tool = {
  name: 'locate',
  title: 'Find a place',
  description:
    'Finds where a place of Nigeria is: give either `place`, as a person would write it, or `lat` and `lng`, for the state and local government area (LGA) of a point. ' +
    'If meaning is several or similar, ask which place is meant before you go on. Use lat and lng of a found place as near of search_incidents.',
  input: Closed({
    place: OptionalText({
      description: 'A settlement, LGA or state, such as Gonin Gora, Chikun LGA; up to 200 characters.',
    }),
    state: Type.Optional(Text('With place: only within this state.')),
    lga: Type.Optional(Text('With place: only within this LGA.')),
    lat: Type.Optional(Type.Number({ description: 'The latitude of a point, in decimal degrees.' })),
    lng: Type.Optional(Type.Number({ description: 'The longitude of a point, in decimal degrees.' })),
  }),
  output: Type.Object({
    point: Nullable(Type.Ref('LocatedPoint')),
    places: Type.Array(Type.Ref('FoundPlace'), { description: `Best match first; up to ${MAX_PLACES}.` }),
    meaning: OneOf(
      MEANINGS,
      '`one`: the first is meant; `several`: the first or one with `rival`; `similar`: only similar names are known; `none`.',
    ),
  }),
  call(given, context) {
    const hasPoint = given.lat !== undefined || given.lng !== undefined
    if (hasPoint === (given.place !== undefined))
      throw invalidParameters([{ pointer: '/place', message: 'or lat and lng: give one of the two' }])
    return { content: hasPoint ? findPoint(given, context) : findPlaces(given, context), links: [] }
  },
}

function findPoint({ lat, lng, state, lga }: ToolArguments, { environment }: ToolContext): object {
  if (state !== undefined || lga !== undefined)
    throw invalidParameters([{ pointer: state === undefined ? '/lga' : '/state', message: 'goes with place only' }])
  const text = (value: unknown) => (value === undefined ? null : String(value))
  const point = locatedPoint(environment.geography.locate, ...parsePoint(text(lat), text(lng)))
  return { point, places: [], meaning: 'one' }
}

function findPlaces({ place, ...scope }: ToolArguments, { environment }: ToolContext): object {
  if (typeof place !== 'string') throw invalidParameters([{ pointer: '/place', message: 'must be a text' }])
  const { places, findPlace } = environment.geography
  const { filter } = parseFilterObject(scope, '', places, ['state', 'lga'])
  if ('errors' in filter) throw invalidParameters(filter.errors)
  const area = parseArea(filter.value.states, filter.value.lgas)
  const found = foundPlaces(findPlace(parseSearch(place), area))
  return { point: null, places: found.places.slice(0, MAX_PLACES), meaning: found.meaning }
}

export const TOOLS: readonly Tool[] = [searchIncidents, getIncident, areaSummary, statistics, trends, locate]
