import Type from 'typebox'
import { SOURCE_STATUSES } from '../../../domain/sources.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'

const seconds = (description: string) => Nullable(Type.Number({ minimum: 0, description }))
const sourceCount = Type.Integer({ minimum: 0 })

export const ServiceStatus = Named(
  'ServiceStatus',
  Type.Object({
    status: OneOf(['ok', 'behind'], '`behind` if the answering node has not read the log for more than 5 seconds.'),
    at: Time('When the status was written; it is up to 10 seconds old.'),
    in_step_since: Nullable(
      Time('Since when the node has been in step with the log without a break; null while it is not.'),
    ),
    in_step_at: Time('When the node was last in step with the log.'),
    last_confirmed_at: Nullable(Time('When the newest public incident was published; null if there is none.')),
    incidents_24h: Type.Integer({
      minimum: 0,
      description: 'Public incidents that were published in the last 24 hours.',
    }),
    deliveries_24h: Nullable(
      Type.Object(
        {
          measured: Type.Integer({ minimum: 0, description: 'The number of deliveries that were measured.' }),
          p50_seconds: seconds('Half of them took no longer.'),
          p99_seconds: seconds('99 of 100 took no longer.'),
        },
        {
          description:
            'From the confirmation to the answer of the endpoint, for webhooks of the last 24 hours that succeeded at the first attempt, up to the latest 1,000. Null while the database cannot be reached.',
        },
      ),
    ),
    sources: Nullable(
      Type.Object(Object.fromEntries(SOURCE_STATUSES.map((status) => [status, sourceCount])), {
        description: 'The number of news sources by health. Null while the database cannot be reached.',
      }),
    ),
  }),
)

export const readStatus = endpoint({
  id: 'readStatus',
  method: 'GET',
  path: '/v1/status',
  tag: 'Service',
  summary: 'The state of the service',
  description: 'For status pages and monitors. It is the same for everybody; the page `/status` shows it to people.',
  scope: null,
  query: {},
  requestHeaders: ['If-None-Match'],
  response: {
    status: 200,
    description: 'The state.',
    schema: Type.Ref('ServiceStatus'),
    headers: { ETag: 'Send it as `If-None-Match` to get 304 while nothing has changed.' },
  },
  problems: ['invalid_parameter'],
})
