import Type from 'typebox'
import { FILTER_PARAMETERS, type Parameter } from '../../query/filter/parameters.ts'
import { LIVE_PARAMETER_NAMES } from '../../query/filter/watch-filter.ts'
import { endpoint } from '../endpoint.ts'

const STANDING_PARAMETERS = Object.fromEntries(
  LIVE_PARAMETER_NAMES.map((name) => [name, FILTER_PARAMETERS[name]]),
) as Record<(typeof LIVE_PARAMETER_NAMES)[number], Parameter>

export const readStream = endpoint({
  id: 'readStream',
  method: 'GET',
  path: '/v1/stream',
  tag: 'Incidents',
  summary: 'Be told at once',
  description:
    'Server-Sent Events: every incident that matches all filters given is told within moments of being confirmed, corrected or retracted. ' +
    '`event` is `incident.created`, `incident.updated` or `incident.retracted`, `id` the `seq`, and `data` the `Change`, as `GET /v1/changes` gives it, on one line. ' +
    'A correction is also told where only the version before matched: check whether it still concerns you. Where `incident` is `null`, it has been retracted: delete what you have. ' +
    'Come back with `Last-Event-ID` (clients for this do so by themselves): what you missed comes first, then what is new, nothing twice and nothing left out. ' +
    'A position more than 10,000 changes back gets one event `reset`, whose `seq` says where it goes on: list again. ' +
    'A comment comes every 15 seconds, and the connection is ended after at most 30 minutes; `retry` says how soon to come back. Who does not read is cut off.',
  scope: 'read',
  query: {
    ...STANDING_PARAMETERS,
    last_event_id: {
      description:
        'The last `seq` that you have, as `meta.seq` of a list; a `Last-Event-ID` header goes before it. Without either, what happens from now on.',
      example: '8123',
    },
  },
  response: {
    status: 200,
    description: 'Events, without end.',
    schema: Type.String({ description: 'An event stream; `data` is a `Change` as JSON.' }),
    contentType: 'text/event-stream',
  },
  problems: ['invalid_parameter', 'too_many_streams', 'streams_full'],
})
