import Type from 'typebox'
import { SEVERITIES, TYPE_NAMES } from '../../../domain/taxonomy.ts'
import type { WatchEvent } from '../../../domain/watch.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'

export const RetractedIncident = Named(
  'RetractedIncident',
  Type.Object(
    {
      id: Type.String(),
      type: OneOf(TYPE_NAMES),
      severity: OneOf(SEVERITIES),
      state: Type.String(),
      lga: Nullable(Type.String()),
      status: OneOf(['retracted', 'merged']),
      version: Type.Integer({ minimum: 1 }),
    },
    { description: 'Enough to find your copy and to remove it; what was withdrawn is not repeated.' },
  ),
)

export const ConcernedSites = Named(
  'ConcernedSites',
  Type.Object(
    {
      id: Type.String({ description: 'The id of the list.' }),
      name: Type.String({ description: 'The name of the list.' }),
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
      more: Type.Integer({ minimum: 0, description: 'How many others are concerned.' }),
    },
    { description: 'The sites of a watch within whose radius the incident lies; only if its filter has `sites`.' },
  ),
)

const message = (name: string, event: WatchEvent, incident: 'Incident' | 'RetractedIncident') =>
  Named(
    name,
    Type.Object({
      event: OneOf([event]),
      watch: Type.String({ description: 'The name of the watch.' }),
      incident: Type.Ref(incident, { description: 'The newest version when the message is sent.' }),
      id: Type.String({ description: 'The id of the message, the same at every attempt; also `webhook-id`.' }),
      watch_id: Type.String(),
      sequence: Type.Integer({
        minimum: 0,
        description: 'Counts the messages of the watch, so that you see a gap; 0 for a test.',
      }),
      seq: Type.Integer({ minimum: 0, description: 'The number of the event in the log, as in `GET /v1/changes`.' }),
      created_at: Time('When the event was committed.'),
      redacted: Type.Optional(
        Type.Boolean({
          description: 'True if content was taken out: delete every earlier version of the incident that you keep.',
        }),
      ),
      sites: Type.Optional(Type.Ref('ConcernedSites')),
      test: Type.Optional(Type.Boolean({ description: 'True if it is a message of the test endpoint.' })),
    }),
  )

export const IncidentCreatedMessage = message('IncidentCreatedMessage', 'incident.created', 'Incident')
export const IncidentUpdatedMessage = message('IncidentUpdatedMessage', 'incident.updated', 'Incident')
export const IncidentRetractedMessage = message('IncidentRetractedMessage', 'incident.retracted', 'RetractedIncident')

/** What is posted to an endpoint, by event. */
export const MESSAGES = {
  'incident.created': { schema: IncidentCreatedMessage, summary: 'An incident was published' },
  'incident.updated': { schema: IncidentUpdatedMessage, summary: 'An incident was corrected' },
  'incident.retracted': { schema: IncidentRetractedMessage, summary: 'An incident was retracted' },
} as const satisfies Record<WatchEvent, { schema: object; summary: string }>
