import Type from 'typebox'
import { AREA_PROBLEMS, endpoint, SEARCH_PROBLEMS } from '../endpoint.ts'
import { OneOf, PAGING, pageParameters } from '../schema.ts'
import { sentMembers, watchId } from './watch.ts'
import { EXAMPLE_FILTER } from './watch-filter.ts'

const { name, channel, url, description, filter, events, headers, digest, quiet_hours } = sentMembers
const example = {
  name: 'North-west roads',
  url: 'https://example.org/hooks/incidents',
  filter: EXAMPLE_FILTER,
}
const wrong = ['invalid_body', 'too_many_values', 'name_taken'] as const
const list = pageParameters('Watches', 100)

export const createWatch = endpoint({
  id: 'createWatch',
  method: 'POST',
  path: '/v1/watches',
  tag: 'Watches',
  summary: 'Watch for incidents',
  description:
    'From now on, every incident that matches the filter is sent to your endpoint as a signed POST as soon as it is confirmed, and retried until the endpoint answers 2xx; see the guide `/docs/webhooks`. With `channel`, it is written as a message that people read, by e-mail, in Slack, Discord, Microsoft Teams or Telegram, or as a notification in a browser: `/docs/channels`.',
  scope: 'watch',
  body: Type.Object(
    {
      name,
      channel: Type.Optional(channel),
      url: Type.Optional(url),
      filter: Type.Optional(filter),
      events: Type.Optional(events),
      headers: Type.Optional(headers),
      digest: Type.Optional(digest),
      quiet_hours: Type.Optional(quiet_hours),
      description: Type.Optional(description),
    },
    { additionalProperties: false, example },
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

export const listWatches = endpoint({
  id: 'listWatches',
  method: 'GET',
  path: '/v1/watches',
  tag: 'Watches',
  summary: 'List your watches',
  scope: 'watch',
  query: list,
  response: {
    status: 200,
    description: 'Newest first.',
    schema: Type.Object({ data: Type.Array(Type.Ref('Watch')), ...PAGING }),
  },
  problems: ['invalid_parameter', 'invalid_cursor'],
})

export const readWatch = endpoint({
  id: 'readWatch',
  method: 'GET',
  path: '/v1/watches/{id}',
  tag: 'Watches',
  summary: 'Read a watch',
  scope: 'watch',
  pathParameters: watchId,
  query: {},
  response: { status: 200, description: 'The watch.', schema: Type.Ref('Watch') },
  problems: ['invalid_parameter', 'not_found'],
})

export const changeWatch = endpoint({
  id: 'changeWatch',
  method: 'PATCH',
  path: '/v1/watches/{id}',
  tag: 'Watches',
  summary: 'Change, pause or resume a watch',
  description:
    'Only the fields sent change. `"status": "paused"` stops the watch: no deliveries are created while it is paused, and pending ones wait. `"active"` resumes it, also after it was disabled, and sends the pending ones; `recover` then sends the missed events. Failures of another `url` than the current one do not count.',
  scope: 'watch',
  pathParameters: watchId,
  body: Type.Object(
    {
      name: Type.Optional(name),
      channel: Type.Optional(channel),
      url: Type.Optional(url),
      filter: Type.Optional(filter),
      events: Type.Optional(events),
      headers: Type.Optional(headers),
      digest: Type.Optional(digest),
      quiet_hours: Type.Optional(quiet_hours),
      description: Type.Optional(description),
      status: Type.Optional(OneOf(['active', 'paused'])),
    },
    { additionalProperties: false, example: { status: 'paused' } },
  ),
  response: { status: 200, description: 'The watch after the change.', schema: Type.Ref('Watch') },
  problems: [...wrong, 'not_found', 'area_in_use', 'channel_unavailable', 'address_not_confirmed', 'code_needed'],
})

export const deleteWatch = endpoint({
  id: 'deleteWatch',
  method: 'DELETE',
  path: '/v1/watches/{id}',
  tag: 'Watches',
  summary: 'Delete a watch',
  description: 'Nothing more is sent; its deliveries are deleted.',
  scope: 'watch',
  pathParameters: watchId,
  response: { status: 204, description: 'The watch has been deleted.', schema: null },
  problems: ['not_found'],
})

export const previewWatch = endpoint({
  id: 'previewWatch',
  method: 'POST',
  path: '/v1/watches/preview',
  quota: 'previews_per_minute',
  tag: 'Watches',
  summary: 'Test a filter on past incidents',
  description: 'Counts how often a watch with this filter would have sent a message, and returns the newest matches.',
  scope: 'watch',
  body: Type.Object(
    {
      filter,
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650, description: 'Default: 30.' })),
    },
    { additionalProperties: false, example: { filter: example.filter, days: 30 } },
  ),
  response: {
    status: 200,
    description: 'The matches.',
    schema: Type.Object({
      days: Type.Integer(),
      matches: Type.Integer({ minimum: 0 }),
      a_day: Type.Number({ minimum: 0 }),
      newest: Type.Array(Type.Ref('Incident'), { description: 'At most five.' }),
    }),
  },
  problems: ['invalid_body', ...SEARCH_PROBLEMS, ...AREA_PROBLEMS],
})
