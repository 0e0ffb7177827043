import Type from 'typebox'
import { CHANNEL_KINDS } from '../../../domain/channel.ts'
import { LANGUAGE_CODES } from '../../../domain/languages.ts'
import { DIGEST_INTERVALS } from '../../../domain/schedule.ts'
import { SEVERITIES } from '../../../domain/taxonomy.ts'
import { SHOWN_WATCH_STATUSES, WATCH_EVENTS } from '../../../domain/watch.ts'
import { MAX_HEADER_VALUE_LENGTH, MAX_HEADERS } from '../../../domain/watch-headers.ts'
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
  description: 'The https address that receives the POST requests. Needed for webhooks, and only for these.',
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
  Type.Object(
    {
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
      url: Type.Optional(
        Type.String({
          maxLength: 2000,
          description:
            'For `slack`, `discord` and `teams`: the address of a webhook, as the channel shows it. It is a secret, and never shown again.',
        }),
      ),
      chat_id: Type.Optional(
        Type.String({
          maxLength: 40,
          description: 'For `telegram`: the number of the chat, or `@name` of a public one.',
        }),
      ),
      code: Type.Optional(
        Type.String({
          maxLength: 20,
          description: 'For `telegram`: the code that the bot wrote into the chat after a request without one.',
        }),
      ),
      subscription: Type.Optional(Type.Ref('BrowserSubscription', { description: 'For `webpush`.' })),
    },
    { additionalProperties: false },
  ),
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
const digest = Type.Object(
  {
    every: digestMembers.every,
    hour: Type.Optional(Nullable(digestMembers.hour)),
    break_severity: Type.Optional(digestMembers.break_severity),
  },
  {
    additionalProperties: false,
    description: 'Collects messages. What is retracted before its digest is not told at all.',
  },
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
  Type.Object(
    { from: quietMembers.from, until: quietMembers.until, break_severity: Type.Optional(quietMembers.break_severity) },
    { additionalProperties: false, description: `${QUIET_HOURS} Default of \`break_severity\`: \`critical\`.` },
  ),
)

/** The members that a client may send. */
export const sentMembers = {
  name,
  channel,
  url,
  description,
  filter,
  events,
  headers,
  digest,
  quiet_hours: quietHours,
}

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
  url: Type.String({
    description:
      'Of other channels than webhooks, the host and a fingerprint of the address, the chat, or `mailto:` and your address.',
  }),
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
    secret: Type.String({
      description:
        'The secret that signs the messages. It is shown only once: store it. Empty unless it is a webhook: nothing else is signed.',
    }),
  }),
)
