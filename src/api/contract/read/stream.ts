import Type from 'typebox'
import { FILTER_PARAMETERS, type Parameter } from '../../../filter/filter/parameters.ts'
import { LIVE_PARAMETER_NAMES } from '../../../filter/filter/watch-filter.ts'
import { endpoint } from '../endpoint.ts'
import { AREA_PROBLEMS } from '../search-problems.ts'

export const STANDING_PARAMETERS = Object.fromEntries(
  LIVE_PARAMETER_NAMES.map((name) => [name, FILTER_PARAMETERS[name]]),
) as Record<(typeof LIVE_PARAMETER_NAMES)[number], Parameter>

export const readStream = endpoint({
  id: 'readStream',
  method: 'GET',
  path: '/v1/stream',
  sample: { state: 'Kaduna,Zamfara' },
  tag: 'Incidents',
  summary: 'Stream incidents as they happen',
  description:
    'Server-Sent Events: sends every incident that matches all filters within moments of its confirmation, correction or retraction. ' +
    '`event` is `incident.created`, `incident.updated` or `incident.retracted`, `id` is the `seq`, and `data` is the `Change` as in `GET /v1/changes`, on one line. ' +
    'A correction is also sent if only the previous version matched: check whether it still concerns you. If `incident` is `null`, it has been retracted: delete your copy. ' +
    'Reconnect with `Last-Event-ID` (SSE clients do so automatically): missed events come first, then new ones, each exactly once. ' +
    'A position more than 10,000 changes back gets one event `reset`, whose `seq` tells where the stream continues: list the incidents again. ' +
    'Every 15 seconds an event `heartbeat` carries `{"event":"heartbeat","seq":…,"in_step_at":…}`: your position, and when this node was last in step with the log. The connection is closed after at most 30 minutes; `retry` tells how soon to reconnect. A client that does not read is disconnected.',
  scope: 'read',
  query: {
    ...STANDING_PARAMETERS,
    last_event_id: {
      description:
        'The last `seq` that you have, such as `meta.seq` of a list; a `Last-Event-ID` header takes precedence. Without either, the stream starts with new events.',
      example: '8123',
      number: { type: 'integer', minimum: 0 },
    },
  },
  requestHeaders: ['Last-Event-ID'],
  response: {
    status: 200,
    description: 'An endless stream of events.',
    schema: Type.String({ description: 'An event stream; `data` is a `Change` as JSON.' }),
    contentType: 'text/event-stream',
  },
  problems: ['invalid_parameter', ...AREA_PROBLEMS, 'too_many_values', 'too_many_streams', 'streams_full'],
})
