import Type from 'typebox'
import { WATCH_EVENTS } from '../../../domain/watch.ts'
import { INCIDENT_PARAMETER } from '../../../filter/filter/parameters.ts'
import { STANDING_PARAMETERS } from '../../stream.ts'
import { endpoint } from '../endpoint.ts'

export const listen = endpoint({
  id: 'listen',
  method: 'GET',
  path: '/v1/listen',
  tag: 'Watches',
  summary: 'Receive signed messages without an endpoint',
  description:
    'Server-Sent Events with the messages of one of your watches, or of a filter, as an endpoint would get them: for development, where no public address is. ' +
    'The first event is `listening`: `{"event":"listening","watch":{"id","name","status","events"},"events":[…],"secret":null}`. ' +
    'Each `message` is `{"event":"message","id","kind","seq","test","resent","headers":{…},"body":"…"}`: post exactly these bytes with these headers. The own headers of a watch are not among them. ' +
    "A watch's messages are signed with its own secrets; its tests, redeliveries and recovered messages are heard too. Its endpoint gets everything as before. " +
    'Messages of a filter are signed with the `secret` in `listening`, which stays the same for the same key; their `watch` is `listening`, their `sequence` 0. ' +
    'Reconnect with `Last-Event-ID`, whose form is not specified: what was missed follows. `reset` says that the position lies too far back (10,000 events), `ended` that the watch was deleted, and `heartbeat` comes every 15 seconds. ' +
    "Counts as one of the account's streams.",
  scope: 'watch',
  query: {
    watch: {
      description: 'The watch to listen to; without it, the filters below apply.',
      example: 'wat_01jd8z0c5xq3v7m2k9h4t6w8ra',
    },
    events: {
      description: 'With a filter, the events to hear of. Default: `incident.created`, or all three with `incident`.',
      example: 'incident.created',
      values: WATCH_EVENTS,
      several: true,
    },
    ...STANDING_PARAMETERS,
    incident: INCIDENT_PARAMETER,
    last_event_id: {
      description: 'The `id` of the last event that you have; a `Last-Event-ID` header takes precedence.',
      example: '8123-17',
    },
  },
  response: {
    status: 200,
    description: 'An endless stream of events.',
    schema: Type.String({ description: 'An event stream; `data` is JSON.' }),
    contentType: 'text/event-stream',
  },
  problems: ['invalid_parameter', 'too_many_values', 'not_found', 'not_a_webhook', 'too_many_streams', 'streams_full'],
})
