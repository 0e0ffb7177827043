import Type from 'typebox'
import { DELIVERY_STATUSES } from '../../../domain/delivery.ts'
import { SHOWN_WATCH_STATUSES, WATCH_EVENTS } from '../../../domain/watch.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'

const OUTCOMES = [...DELIVERY_STATUSES, 'before_watch', 'not_listed', 'not_matched', 'missed'] as const

export const WatchExplanation = Named(
  'WatchExplanation',
  Type.Object({
    watch_id: Type.String(),
    incident_id: Type.String(),
    matches: Nullable(
      Type.Boolean({
        description: 'Whether the filter matches the newest version; null if the incident is not public any more.',
      }),
    ),
    conditions: Type.Array(
      Type.Object({
        condition: Type.String({ description: 'The filter parameter, such as `state` or `polygon`.' }),
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
        matches: Type.Boolean({
          description: 'By the filter as it is now; a correction or retraction matches if any earlier version does.',
        }),
        listed: Type.Boolean({ description: 'Whether the watch lists this event.' }),
        after_creation: Type.Boolean({ description: 'Whether the watch existed.' }),
        delivery: Nullable(Type.Object({ id: Type.String(), status: OneOf(DELIVERY_STATUSES) })),
        outcome: OneOf(OUTCOMES, 'The status of its delivery, or the reason why there is none.'),
      }),
      { description: 'The newest 50 events of the incident, oldest first.' },
    ),
    watch: Type.Object({ status: OneOf(SHOWN_WATCH_STATUSES), created_at: Time('When the watch was created.') }),
    verdict: Type.String({ description: 'What became of the newest event, in words.' }),
  }),
)

export const explainWatch = endpoint({
  id: 'explainWatch',
  method: 'GET',
  path: '/v1/watches/{id}/explain',
  tag: 'Watches',
  summary: 'Why did this watch match, or not?',
  description:
    'Holds each condition of the filter against an incident, and tells for each of its events whether it was sent, and if not, why.',
  scope: 'watch',
  pathParameters: { id: 'The id of the watch, such as `wat_01jd8z0c5x…`.' },
  query: {
    incident: {
      description: 'The id of an incident.',
      example: 'inc_01jd8z0c5xq3v7m2k9h4t6w8ra',
      required: true,
    },
  },
  response: { status: 200, description: 'The explanation.', schema: Type.Ref('WatchExplanation') },
  problems: ['invalid_parameter', 'not_found'],
})
