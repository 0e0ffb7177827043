import Type from 'typebox'
import { FORMATS } from '../../query/format.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable } from '../schema.ts'
import { meta } from './incident.ts'

const File = (name: string) =>
  Type.Object({
    url: Type.String({ format: 'uri-reference', description: `As \`/v1/archive/2024-05.${name}\`.` }),
    bytes: Nullable(Type.Integer({ minimum: 0 })),
    sha256: Nullable(
      Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of the file as it is without compression.' }),
    ),
  })

const Part = Type.Unsafe<string>({ description: 'A part of the file, as bytes.' })

export const ArchiveMonth = Named(
  'ArchiveMonth',
  Type.Object({
    month: Type.String({ description: 'Of `published_at` (UTC), as `2024-05`.' }),
    incidents: Type.Integer({ minimum: 1 }),
    files: Type.Object({ ndjson: File('ndjson'), csv: File('csv'), geojson: File('geojson') }),
  }),
)

export const listMonths = endpoint({
  id: 'listMonths',
  method: 'GET',
  path: '/v1/archive',
  tag: 'Archive',
  summary: 'List the months of the archive',
  description:
    'The newest first; months without incidents are left out. A past month changes only when one of its incidents does. Sizes and hashes that are still being worked out ' +
    'are `null`, and `complete` is then `false`: ask again in a few seconds.',
  scope: 'read',
  query: {},
  response: {
    status: 200,
    description: 'All months.',
    schema: Type.Object({
      data: Type.Array(Type.Ref('ArchiveMonth')),
      complete: Type.Boolean({ description: 'Whether every size and hash is known.' }),
      meta,
    }),
    headers: { ETag: 'Send it back as `If-None-Match`: 304 while nothing has changed.' },
  },
  problems: ['invalid_parameter'],
})

export const downloadMonth = endpoint({
  id: 'downloadMonth',
  method: 'GET',
  path: '/v1/archive/{file}',
  tag: 'Archive',
  summary: 'Download a month',
  description:
    'Every incident published in the month, the oldest first, as NDJSON, CSV or GeoJSON. A download that broke off goes on with `Range` and `If-Range`; ' +
    'one under way is not disturbed by what happens meanwhile.',
  scope: 'read',
  pathParameters: { file: 'The month and the format, as `2024-05.ndjson`, `2024-05.csv` or `2024-05.geojson`.' },
  query: {},
  response: {
    status: 200,
    description: 'The file.',
    schema: Type.String({ description: 'One incident a line, as JSON.' }),
    contentType: FORMATS.ndjson,
    alternatives: {
      [FORMATS.csv]: Type.String({ description: 'RFC 4180, as in the list.' }),
      [FORMATS.geojson]: Type.Object({}, { description: 'A FeatureCollection, as in the list, without paging.' }),
    },
    headers: {
      ETag: 'Strong. Send it back as `If-None-Match` or `If-Range`.',
      'Accept-Ranges': '`bytes`: single ranges are given, of the file without compression.',
    },
  },
  otherResponses: [
    {
      status: 206,
      description: 'The range asked for.',
      schema: Part,
      contentType: FORMATS.ndjson,
      alternatives: { [FORMATS.csv]: Part, [FORMATS.geojson]: Part },
      headers: { 'Content-Range': 'As `bytes 0-99/1234`.' },
    },
  ],
  problems: ['invalid_parameter', 'not_found', 'range_not_satisfiable'],
})
