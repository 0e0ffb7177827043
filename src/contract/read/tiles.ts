import Type from 'typebox'
import { FILTER_PARAMETERS } from '../../query/filter/parameters.ts'
import { endpoint } from '../endpoint.ts'

export const readTile = endpoint({
  id: 'readTile',
  method: 'GET',
  path: '/v1/tiles/{z}/{x}/{y}.mvt',
  tag: 'Incidents',
  summary: 'A tile of the map',
  description:
    'The incidents that match all filters given, within one tile of the map (Web Mercator), as a Mapbox Vector Tile 2: the layer `incidents`, extent 4096, points alone. ' +
    'Every incident is in exactly one tile of each zoom, by itself or within one cluster. ' +
    'A cluster has `count`, `severity` (the worst in it), how many are `low`, `medium`, `high` and `critical`, the box that holds them (`west`, `south`, `east`, `north`, good for `bbox`) and `newest`, the latest `published_at`. ' +
    'An incident has `id`, `type`, `category`, `severity`, `confidence`, `precision`, `radius_km`, `published_at`, `state`, `state_code`, `lga` and `lga_code`; what is unknown is left out. Times are seconds since 1970. ' +
    'From zoom 10 on, or with no more than 100 in the tile, incidents stand by themselves; with more than 2,000 in the tile they are clustered at any zoom. The newest is drawn last.',
  scope: 'read',
  pathParameters: {
    z: 'The zoom, from 0 to 16; maps enlarge the last.',
    x: 'The column, from 0 in the west to 2^z − 1.',
    y: 'The row, from 0 in the north to 2^z − 1.',
  },
  query: FILTER_PARAMETERS,
  response: {
    status: 200,
    description: 'The tile.',
    schema: Type.Unsafe({ description: 'A Mapbox Vector Tile.' }),
    contentType: 'application/vnd.mapbox-vector-tile',
    headers: { ETag: 'Send it back as `If-None-Match`: 304 while nothing has changed.' },
  },
  otherResponses: [{ status: 204, description: 'No incident is there.', schema: null }],
  problems: ['invalid_parameter'],
})
