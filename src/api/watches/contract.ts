import Type from 'typebox'
import { DELIVERY_STATUSES } from '../../domain/delivery.ts'
import { LANGUAGE_CODES } from '../../domain/languages.ts'
import { DIGEST_INTERVALS } from '../../domain/schedule.ts'
import { SEVERITIES, TYPE_NAMES } from '../../domain/taxonomy.ts'
import { CHANNEL_KINDS, SHOWN_WATCH_STATUSES, WATCH_EVENTS, type WatchEvent } from '../../domain/watch.ts'
import { MAX_HEADER_VALUE_LENGTH, MAX_HEADERS } from '../../domain/watch-headers.ts'
import { WATCH_FILTER_PARAMETERS } from '../../filter/live-filters.ts'
import { AREA_PROBLEMS, endpointsOf, ok, SEARCH_PROBLEMS } from '../contract/endpoint.ts'
import {
  CheckedByHandler,
  Closed,
  Count,
  Flag,
  Named,
  NamedObject,
  Nullable,
  NullableText,
  OneOf,
  OptionalText,
  PageOf,
  pageParameters,
  Text,
  TextsByName,
  Time,
} from '../contract/schema.ts'
import { queryBody } from '../incidents/contract.ts'

const endpoint = endpointsOf({ tag: 'Watches', scope: 'watch' })

export const watchId = { id: 'The id of the watch, such as `wat_01jd8z0c5x…`.' }

const name = Text('Unique in your account; sent as `watch` in messages.', { minLength: 1, maxLength: 100 })
const url = Text('The https address that receives the POST requests. Needed for webhooks, and only for these.', {
  minLength: 1,
  maxLength: 2000,
})
const description = Nullable(Type.String({ maxLength: 1000 }))
const filter = CheckedByHandler(Type.Ref('WatchFilter'))
const events = Type.Array(OneOf(WATCH_EVENTS), {
  minItems: 1,
  uniqueItems: true,
  description:
    'The events to send. Default: `["incident.created"]` for webhooks, all three if the filter names an `incident`. Messages for people are always sent for all three: whoever was told of an incident is told of its correction and its withdrawal.',
})

const headers = CheckedByHandler(
  Nullable(
    TextsByName(
      {
        maxProperties: MAX_HEADERS,
        description:
          'Your own request headers, sent with every message: all that the watch is to have; null or `{}` removes them. Values are printable ASCII; `***` keeps the value that a name has. Values are sent only to the origin that they were given for: a change of `url` to another origin must bring them again, or `{}`. Names that the service or HTTP itself uses are refused: `host`, `content-*`, `webhook-*`, `user-agent`, `connection` and the like.',
        example: { 'X-Team': 'roads' },
      },
      { minLength: 1, maxLength: MAX_HEADER_VALUE_LENGTH },
    ),
  ),
)

const channel = CheckedByHandler(
  Closed({
    kind: OneOf(
      CHANNEL_KINDS,
      'Default: `webhook`, a signed POST for a program. The others write messages that people read; `email` to the confirmed address of your account. It cannot be changed later.',
    ),
    language: Type.Optional(
      OneOf(
        LANGUAGE_CODES,
        'Of messages for people: English, Hausa, Yorùbá, Igbo or Naijá. What editors wrote stays as it is. Default: `en`; a change that does not name it keeps it.',
      ),
    ),
    url: OptionalText({
      maxLength: 2000,
      description:
        'For `slack`, `discord` and `teams`: the address of a webhook, as the channel shows it. It is a secret, and never shown again.',
    }),
    chat_id: OptionalText({
      maxLength: 40,
      description: 'For `telegram`: the number of the chat, or `@name` of a public one.',
    }),
    code: OptionalText({
      maxLength: 20,
      description: 'For `telegram`: the code that the bot wrote into the chat after a request without one.',
    }),
    subscription: Type.Optional(Type.Ref('BrowserSubscription', { description: 'For `webpush`.' })),
  }),
)

const breakSeverity = (waits: string) =>
  Nullable(
    OneOf(
      SEVERITIES,
      `Incidents of this severity or worse ${waits}, and so are their corrections and retractions; null if nothing does.`,
    ),
  )

const digestMembers = {
  every: OneOf(
    DIGEST_INTERVALS,
    '`none`: at once. `hourly`: at the full hour. `daily`: once a day. Messages for people are one message then; webhooks are sent one by one, as ever.',
  ),
  hour: Type.Integer({ minimum: 0, maximum: 23, description: 'Of a daily digest: the hour in Lagos. Default: 7.' }),
  break_severity: breakSeverity('are sent at once'),
}
const digest = Closed(
  {
    every: digestMembers.every,
    hour: Type.Optional(Nullable(digestMembers.hour)),
    break_severity: Type.Optional(digestMembers.break_severity),
  },
  { description: 'Collects messages. What is retracted before its digest is not told at all.' },
)

const quietMembers = {
  from: Type.String({
    pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
    description: 'The beginning, as clocks in Lagos show it.',
    example: '22:00',
  }),
  until: Type.String({
    pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
    description: 'The end, on the next day if it is earlier than the beginning.',
    example: '06:00',
  }),
  break_severity: breakSeverity('are sent all the same'),
}
const QUIET_HOURS = 'Messages wait for the end of these hours; those for people go out as one message then.'
const quietHours = Nullable(
  Closed(
    { from: quietMembers.from, until: quietMembers.until, break_severity: Type.Optional(quietMembers.break_severity) },
    { description: `${QUIET_HOURS} Default of \`break_severity\`: \`critical\`.` },
  ),
)

const fields = {
  id: Type.String(),
  name: Type.String(),
  channel: Type.Object(
    {
      kind: OneOf(CHANNEL_KINDS),
      language: Nullable(OneOf(LANGUAGE_CODES, 'Of messages for people; null for webhooks.')),
    },
    { description: 'How messages reach their receiver.' },
  ),
  url: Text(
    'Of other channels than webhooks, the host and a fingerprint of the address, the chat, or `mailto:` and your address.',
  ),
  description,
  filter: Type.Ref('WatchFilter', { description: 'The filter as you sent it.' }),
  events,
  headers: TextsByName({
    description: 'The names of your own request headers; each value is shown as `***`.',
  }),
  digest: Type.Object(
    { ...digestMembers, hour: Nullable(digestMembers.hour) },
    { description: 'When messages go out together.' },
  ),
  quiet_hours: Nullable(Type.Object(quietMembers, { description: QUIET_HOURS })),
  status: OneOf(
    SHOWN_WATCH_STATUSES,
    '`failing`: active, but every attempt since `failing_since` failed; it is disabled after five days of that.',
  ),
  disabled_reason: NullableText('The reason why the service disabled the watch.'),
  failing_since: Nullable(Time('The first failed attempt since the last successful one.')),
  sequence: Count('The `sequence` of its last message.'),
  created_at: Time('When the watch was created.'),
  updated_at: Time('When the watch was last changed.'),
}

NamedObject('Watch', fields)
NamedObject('WatchWithSecret', {
  ...fields,
  secret: Text(
    'The secret that signs the messages. It is shown only once: store it. Empty unless it is a webhook: nothing else is signed.',
  ),
})

const EXAMPLE_FILTER = { state: ['Kaduna', 'Zamfara'], min_severity: 'high' }

export const WatchFilter = Named(
  'WatchFilter',
  queryBody(WATCH_FILTER_PARAMETERS, {
    description:
      'The incidents to watch for: the filters of the list except time and paging, several values as arrays, `incident` to follow certain ones, and two that a query string cannot hold, `polygon` and `route`. All must hold; `{}` matches everything.',
    example: EXAMPLE_FILTER,
  }),
)

const example = {
  name: 'North-west roads',
  url: 'https://example.org/hooks/incidents',
  filter: EXAMPLE_FILTER,
}
const optionalMembers = {
  channel: Type.Optional(channel),
  url: Type.Optional(url),
  filter: Type.Optional(filter),
  events: Type.Optional(events),
  headers: Type.Optional(headers),
  digest: Type.Optional(digest),
  quiet_hours: Type.Optional(quietHours),
  description: Type.Optional(description),
}
const wrong = ['invalid_body', 'too_many_values', 'name_taken'] as const
const list = pageParameters('Watches', 100)

export const createWatch = endpoint('createWatch', 'POST /v1/watches', {
  summary: 'Watch for incidents',
  description:
    'From now on, every incident that matches the filter is sent to your endpoint as a signed POST as soon as it is confirmed, and retried until the endpoint answers 2xx; see the guide `/docs/webhooks`. With `channel`, it is written as a message that people read, by e-mail, in Slack, Discord, Microsoft Teams or Telegram, or as a notification in a browser: `/docs/channels`.',
  body: Closed(
    {
      name,
      ...optionalMembers,
    },
    { example },
  ),
  response: { status: 201, description: 'The watch, with its secret.', schema: Type.Ref('WatchWithSecret') },
  problems: [
    ...wrong,
    ...AREA_PROBLEMS,
    'area_in_use',
    'too_many_watches',
    'channel_unavailable',
    'address_not_confirmed',
    'code_needed',
  ],
})

export const listWatches = endpoint('listWatches', 'GET /v1/watches', {
  summary: 'List your watches',
  query: list,
  response: ok('Newest first.', PageOf('Watch')),
})

export const readWatch = endpoint('readWatch', 'GET /v1/watches/{id}', {
  summary: 'Read a watch',
  pathParameters: watchId,
  response: ok('The watch.', Type.Ref('Watch')),
})

export const changeWatch = endpoint('changeWatch', 'PATCH /v1/watches/{id}', {
  summary: 'Change, pause or resume a watch',
  description:
    'Only the fields sent change. `"status": "paused"` stops the watch: no deliveries are created while it is paused, and pending ones wait. `"active"` resumes it, also after it was disabled, and sends the pending ones; `recover` then sends the missed events. Failures of another `url` than the current one do not count.',
  pathParameters: watchId,
  body: Closed(
    {
      name: Type.Optional(name),
      ...optionalMembers,
      status: Type.Optional(OneOf(['active', 'paused'])),
    },
    { example: { status: 'paused' } },
  ),
  response: ok('The watch after the change.', Type.Ref('Watch')),
  problems: [...wrong, 'area_in_use', 'channel_unavailable', 'address_not_confirmed', 'code_needed'],
})

export const deleteWatch = endpoint('deleteWatch', 'DELETE /v1/watches/{id}', {
  summary: 'Delete a watch',
  description: 'Nothing more is sent; its deliveries are deleted.',
  pathParameters: watchId,
  response: { status: 204, description: 'The watch has been deleted.', schema: null },
})

export const previewWatch = endpoint('previewWatch', 'POST /v1/watches/preview', {
  quota: 'previews_per_minute',
  summary: 'Test a filter on past incidents',
  description: 'Counts how often a watch with this filter would have sent a message, and returns the newest matches.',
  body: Closed(
    {
      filter,
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650, description: 'Default: 30.' })),
    },
    { example: { filter: example.filter, days: 30 } },
  ),
  response: ok(
    'The matches.',
    Type.Object({
      days: Type.Integer(),
      matches: Type.Integer({ minimum: 0 }),
      a_day: Type.Number({ minimum: 0 }),
      newest: Type.Array(Type.Ref('Incident'), { description: 'At most five.' }),
    }),
  ),
  problems: [...SEARCH_PROBLEMS, ...AREA_PROBLEMS],
})

export const testWatch = endpoint('testWatch', 'POST /v1/watches/{id}/test', {
  quota: 'watch_tests_per_minute',
  summary: 'Send a test message',
  description:
    'Sends one signed message with `"test": true` and a sample incident, and returns the endpoint\'s response. Its `sequence` is 0, it is not retried, and it is in the log of deliveries.',
  pathParameters: watchId,
  body: Closed(
    {
      event: Type.Optional(OneOf(WATCH_EVENTS, 'The event to send. Default: the first that the watch lists.')),
    },
    { example: { event: 'incident.updated' } },
  ),
  bodyCheck: 'where given',
  response: ok(
    'The result.',
    Type.Object({
      id: Text('The id of the delivery in the log.'),
      delivered: Type.Boolean(),
      message: Text('The result in words.'),
      status_code: Nullable(Type.Integer()),
      duration_ms: Type.Integer({ minimum: 0 }),
      answer: NullableText('The beginning of the response body.'),
    }),
  ),
})

export const rotateSecret = endpoint('rotateSecret', 'POST /v1/watches/{id}/rotate-secret', {
  summary: 'Replace the secret',
  description:
    'Messages are signed with the new secret, and with every replaced one for 24 hours after its replacement. `{"revoke": true}` ends the old ones at once. At most ten are valid at a time.',
  pathParameters: watchId,
  body: Closed(
    { revoke: Type.Optional(Flag('Whether the old secrets end now. Default: false.')) },
    { example: { revoke: true } },
  ),
  bodyCheck: 'where given',
  response: ok('The watch, with its new secret.', Type.Ref('WatchWithSecret')),
  problems: ['not_a_webhook', 'too_many_secrets'],
})

export const retryWatch = endpoint('retryWatch', 'POST /v1/watches/{id}/retry', {
  summary: 'Send pending messages now',
  description: 'Makes every pending delivery of the watch due at once, instead of at its next attempt.',
  pathParameters: watchId,
  response: ok(
    'The number of messages.',
    Type.Object({
      pending: Count('Deliveries that were waiting and are sent now.'),
    }),
  ),
  problems: ['watch_not_active'],
})

export const recoverWatch = endpoint('recoverWatch', 'POST /v1/watches/{id}/recover', {
  summary: 'Resend failed and missed messages',
  description:
    'Covers everything since that time: failed deliveries become due again, and events that the watch missed while paused or disabled are sent now, corrections and retractions included of which any earlier version matched. A message about an incident that was retracted since is cancelled instead of sent.',
  pathParameters: watchId,
  body: Closed(
    {
      since: Text('A span such as `24h`, or an RFC 3339 time; up to 30 days ago.', { maxLength: 40 }),
    },
    { example: { since: '24h' } },
  ),
  response: ok(
    'The numbers of messages to be sent.',
    Type.Object({
      pending: Count('Deliveries that are on their way already; `retry` sends them now.'),
      failed: Count('Failed deliveries that are sent again.'),
      missed: Count('Missed events that are sent for the first time.'),
    }),
  ),
  problems: ['watch_not_active'],
})

const OUTCOMES = [...DELIVERY_STATUSES, 'before_watch', 'not_listed', 'not_matched', 'missed'] as const

NamedObject('WatchExplanation', {
  watch_id: Type.String(),
  incident_id: Type.String(),
  matches: Nullable(
    Flag('Whether the filter matches the newest version; null if the incident is not public any more.'),
  ),
  conditions: Type.Array(
    Type.Object({
      condition: Text('The filter parameter, such as `state` or `polygon`.'),
      wanted: Type.Unknown({ description: 'What the filter asks for; of a polygon or route, in words.' }),
      actual: Type.Unknown({ description: 'What the incident has.' }),
      holds: Type.Boolean(),
    }),
    { description: "The filter's conditions on the newest version: it matches if all hold." },
  ),
  events: Type.Array(
    Type.Object({
      seq: Type.Integer({ minimum: 1 }),
      event: OneOf(WATCH_EVENTS),
      at: Time('When the event was committed.'),
      matches: Flag('By the filter as it is now; a correction or retraction matches if any earlier version does.'),
      listed: Flag('Whether the watch lists this event.'),
      after_creation: Flag('Whether the watch existed.'),
      delivery: Nullable(Type.Object({ id: Type.String(), status: OneOf(DELIVERY_STATUSES) })),
      outcome: OneOf(OUTCOMES, 'The status of its delivery, or the reason why there is none.'),
    }),
    { description: 'The newest 50 events of the incident, oldest first.' },
  ),
  watch: Type.Object({ status: OneOf(SHOWN_WATCH_STATUSES), created_at: Time('When the watch was created.') }),
  verdict: Text('What became of the newest event, in words.'),
})

export const explainWatch = endpoint('explainWatch', 'GET /v1/watches/{id}/explain', {
  summary: 'Why did this watch match, or not?',
  description:
    'Holds each condition of the filter against an incident, and tells for each of its events whether it was sent, and if not, why.',
  pathParameters: { id: 'The id of the watch, such as `wat_01jd8z0c5x…`.' },
  query: {
    incident: {
      description: 'The id of an incident.',
      example: 'inc_01jd8z0c5xq3v7m2k9h4t6w8ra',
      required: true,
    },
  },
  response: ok('The explanation.', Type.Ref('WatchExplanation')),
})

NamedObject(
  'RetractedIncident',
  {
    id: Type.String(),
    type: OneOf(TYPE_NAMES),
    severity: OneOf(SEVERITIES),
    state: Type.String(),
    lga: Nullable(Type.String()),
    status: OneOf(['retracted', 'merged']),
    version: Type.Integer({ minimum: 1 }),
    reason: Type.Optional(
      OneOf(
        ['lost'],
        'Why it was retracted, if not by a decision: the database of the service has lost its latest writes, and this incident was among them. It may come back.',
      ),
    ),
  },
  { description: 'Enough to find your copy and to remove it; what was withdrawn is not repeated.' },
)

NamedObject(
  'ConcernedSites',
  {
    id: Text('The id of the list.'),
    name: Text('The name of the list.'),
    nearest: Type.Array(
      Type.Object({
        name: Type.String(),
        reference: Nullable(Type.String()),
        distance_km: Type.Optional(
          Type.Number({ minimum: 0, description: 'Absent in a retraction, which does not repeat where it was.' }),
        ),
        radius_km: Type.Number({ exclusiveMinimum: 0 }),
      }),
      { description: 'Nearest first, at most 20; those of a retraction in the order of the list.' },
    ),
    more: Count('How many others are concerned.'),
  },
  { description: 'The sites of a watch within whose radius the incident lies; only if its filter has `sites`.' },
)

const message = (name: string, event: WatchEvent, incident: 'Incident' | 'RetractedIncident') =>
  NamedObject(name, {
    event: OneOf([event]),
    watch: Text('The name of the watch.'),
    incident: Type.Ref(incident, { description: 'The newest version when the message is sent.' }),
    id: Text('The id of the message, the same at every attempt; also `webhook-id`.'),
    watch_id: Type.String(),
    sequence: Count('Counts the messages of the watch, so that you see a gap; 0 for a test.'),
    seq: Count('The number of the event in the log, as in `GET /v1/changes`.'),
    created_at: Time('When the event was committed.'),
    redacted: Type.Optional(
      Flag('True if content was taken out: delete every earlier version of the incident that you keep.'),
    ),
    sites: Type.Optional(Type.Ref('ConcernedSites')),
    test: Type.Optional(Flag('True if it is a message of the test endpoint.')),
  })

export const IncidentCreatedMessage = message('IncidentCreatedMessage', 'incident.created', 'Incident')
export const IncidentUpdatedMessage = message('IncidentUpdatedMessage', 'incident.updated', 'Incident')
export const IncidentRetractedMessage = message('IncidentRetractedMessage', 'incident.retracted', 'RetractedIncident')

/** The messages to an endpoint, by event. */
export const MESSAGES = {
  'incident.created': { schema: IncidentCreatedMessage, summary: 'An incident was published' },
  'incident.updated': { schema: IncidentUpdatedMessage, summary: 'An incident was corrected' },
  'incident.retracted': { schema: IncidentRetractedMessage, summary: 'An incident was retracted' },
} as const satisfies Record<WatchEvent, { schema: object; summary: string }>
