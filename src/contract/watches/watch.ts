import Type from 'typebox'
import { SHOWN_WATCH_STATUSES, WATCH_EVENTS } from '../../domain/watch.ts'
import { MAX_HEADER_VALUE_LENGTH, MAX_HEADERS } from '../../domain/watch-headers.ts'
import { CheckedByHandler, Named, Nullable, OneOf, TextsByName, Time } from '../schema.ts'

/** The path parameter of every endpoint about one watch. */
export const watchId = { id: 'The id of the watch, such as `wat_01jd8z0c5x…`.' }

const name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Unique in your account; sent as `watch` in messages.',
})
const url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'The https address that receives the POST requests.',
})
const description = Nullable(Type.String({ maxLength: 1000 }))
const filter = CheckedByHandler(Type.Ref('WatchFilter'))
const events = Type.Array(OneOf(WATCH_EVENTS), {
  minItems: 1,
  uniqueItems: true,
  description: 'The events to send. Default: `["incident.created"]`.',
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

/** The members that a client may send. */
export const sentMembers = { name, url, description, filter, events, headers }

const fields = {
  id: Type.String(),
  name: Type.String(),
  url: Type.String(),
  description,
  filter: Type.Ref('WatchFilter', { description: 'The filter as you sent it.' }),
  events,
  headers: TextsByName({
    description: 'The names of your own request headers; each value is shown as `***`.',
  }),
  status: OneOf(
    SHOWN_WATCH_STATUSES,
    '`failing`: active, but every attempt since `failing_since` failed; it is disabled after five days of that.',
  ),
  disabled_reason: Nullable(Type.String({ description: 'The reason why the service disabled the watch.' })),
  failing_since: Nullable(Time('The first failed attempt since the last successful one.')),
  sequence: Type.Integer({ minimum: 0, description: 'The `sequence` of its last message.' }),
  created_at: Time('When the watch was created.'),
  updated_at: Time('When the watch was last changed.'),
}

export const Watch = Named('Watch', Type.Object(fields))
export const WatchWithSecret = Named(
  'WatchWithSecret',
  Type.Object({
    ...fields,
    secret: Type.String({ description: 'The secret that signs the messages. It is shown only once: store it.' }),
  }),
)
