import Type from 'typebox'
import { invalidParameters } from '../../../../domain/errors.ts'
import type { Incident } from '../../../../domain/incident.ts'
import { FILTER_PARAMETERS } from '../../../../filter/filter/parameters.ts'
import { PAGING_PARAMETERS, parseListingBody } from '../../../../filter/listing.ts'
import { Nullable } from '../../../contract/schema.ts'
import { meta, queryBody } from '../../../incidents/contract.ts'
import { renderIncidentList } from '../../../incidents/list.ts'
import { areaOfBody } from '../../../requests/filter-references.ts'
import { briefOf, IncidentBrief, incidentLink } from '../incident-brief.ts'
import type { Tool } from '../tool.ts'

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 20

const { order, cursor } = PAGING_PARAMETERS
const limit = {
  description: `Incidents per page, from 1 to ${MAX_LIMIT}; the default is ${DEFAULT_LIMIT}.`,
  example: '10',
  number: { type: 'integer', minimum: 1, maximum: MAX_LIMIT },
} as const

export const searchIncidents: Tool = {
  name: 'search_incidents',
  title: 'Search incidents',
  description:
    'Lists confirmed security incidents in Nigeria that match all filters, newest first, in short. ' +
    'For more, call it again with the same filters and cursor = next_cursor. For numbers use statistics or area_summary instead of counting pages.',
  input: queryBody(
    'SearchQuestion',
    { ...FILTER_PARAMETERS, order, limit, cursor },
    { description: 'Which incidents.', example: { state: ['Kaduna'], since: '7d' } },
  ),
  output: Type.Object({
    incidents: Type.Array(IncidentBrief),
    has_more: Type.Boolean(),
    next_cursor: Nullable(Type.String({ description: 'Send it as cursor, with the same filters, for the next page.' })),
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
    const page = JSON.parse(body.toString()) as Page
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

interface Page {
  readonly data: readonly Incident[]
  readonly has_more: boolean
  readonly next_cursor: string | null
  readonly meta: object
}

const TOO_MANY = {
  pointer: '/limit',
  message: `must be a whole number from 1 to ${MAX_LIMIT}; for more, follow next_cursor`,
}
