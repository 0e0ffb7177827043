import Type from 'typebox'
import type { ArchiveView } from '../../../../archive/archive-view.ts'
import { invalidParameters } from '../../../../domain/errors.ts'
import type { Incident } from '../../../../domain/incident.ts'
import type { Places } from '../../../../domain/places.ts'
import type { Filter } from '../../../../filter/filter/filter.ts'
import { parseFilterObject } from '../../../../filter/filter/filter-object.ts'
import { publishedFrom } from '../../../../filter/filter/matches.ts'
import { FILTER_PARAMETERS } from '../../../../filter/filter/parameters.ts'
import type { Group } from '../../../../filter/grouping.ts'
import type { Steps } from '../../../../lib/steps.ts'
import { timeText } from '../../../../lib/time.ts'
import { Time } from '../../../contract/schema.ts'
import { meta, queryBody } from '../../../incidents/contract.ts'
import { areaOfBody } from '../../../requests/filter-references.ts'
import { Statistics } from '../../../statistics/contract.ts'
import { renderStatistics } from '../../../statistics/statistics.ts'
import { briefOf, IncidentBrief, incidentLink } from '../incident-brief.ts'
import type { Tool } from '../tool.ts'

const DEFAULT_SINCE = '30d'
const MOST_FREQUENT = 5
const NEWEST = 5

const { state, lga, bbox, near, radius_km, area } = FILTER_PARAMETERS
const AREA = { state, lga, bbox, near, radius_km, area }
const since = {
  ...FILTER_PARAMETERS.since,
  description: `${FILTER_PARAMETERS.since.description} The default is ${DEFAULT_SINCE}.`,
}
const counts = (description: string) =>
  Type.Array(Type.Object({ key: Type.String(), label: Type.String(), count: Type.Integer() }), { description })
const { total } = Statistics.properties

export const areaSummary: Tool = {
  name: 'area_summary',
  title: 'Summarise an area',
  description:
    'Describes how safe an area of Nigeria has been: incidents and casualties since a time, by severity, the most frequent types and LGAs, the same length of time before, and the newest incidents. ' +
    'Without an area it describes the whole country. Few incidents may also mean that few were reported.',
  input: queryBody('AreaQuestion', { ...AREA, since }, { description: 'Which area.', example: { state: ['Zamfara'] } }),
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

interface Bucket extends Partial<Record<Group, { readonly key: string; readonly label: string } | null>> {
  readonly count: number
}

interface Counted {
  readonly data: readonly Bucket[]
  readonly total: object
  readonly meta: object
}

/** One question, so that all figures are of the same moment. */
function* findSummary(view: ArchiveView, filter: Filter, places: Places, now: number) {
  const from = publishedFrom(filter, now)
  const before = { ...filter, since: null, publishedFrom: 2 * from - now, publishedTo: from }
  const countBy = function* (group: Group, within: Filter, most?: number): Steps<Counted> {
    const grouping = { groups: [group], timeZone: 'UTC' as const, filter: within }
    const { body } = yield* renderStatistics(view, grouping, places, now, most)
    return JSON.parse(body.toString()) as Counted
  }
  const bySeverity = yield* countBy('severity', filter)
  const byType = yield* countBy('type', filter, MOST_FREQUENT)
  const byLga = yield* countBy('lga', filter, MOST_FREQUENT)
  const previous = yield* countBy('severity', before)
  const { slots } = yield* view.findPage({ filter, order: 'newest', limit: NEWEST, after: null, now })
  return {
    from: timeText(from),
    to: timeText(now),
    total: bySeverity.total,
    previous: { from: timeText(before.publishedFrom), total: previous.total },
    by_severity: countsOf(bySeverity, 'severity'),
    by_type: countsOf(byType, 'type'),
    by_lga: countsOf(byLga, 'lga'),
    incidents: slots.map((slot): Incident => view.incidentOf(slot)),
    meta: bySeverity.meta,
  }
}

function countsOf({ data }: Counted, group: Group): object[] {
  return data.flatMap(({ [group]: value, count }) => (value ? [{ key: value.key, label: value.label, count }] : []))
}
