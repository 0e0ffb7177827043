import Type from 'typebox'
import { FILTER_PARAMETERS } from '../../query/filter/parameters.ts'
import { endpoint } from '../endpoint.ts'
import { SEARCH_PROBLEMS } from '../search-problems.ts'

export const readTile = endpoint({
  id: 'readTile',
  method: 'GET',
  path: '/v1/tiles/{z}/{x}/{y}.mvt',
  tag: 'Incidents',
  summary: 'Read a map tile',
  description:
    'The incidents that match all filters within one map tile (Web Mercator), as a Mapbox Vector Tile 2: the layer `incidents`, extent 4096, points only. ' +
    'Every incident is in exactly one tile of each zoom, individually or within one cluster. ' +
    'A cluster has `count`, `severity` (the worst in it), the numbers of `low`, `medium`, `high` and `critical` incidents, their bounding box (`west`, `south`, `east`, `north`, usable as `bbox`) and `newest`, the latest `published_at`. ' +
    'An incident has `id`, `type`, `category`, `severity`, `confidence`, `precision`, `radius_km`, `published_at`, `state`, `state_code`, `lga` and `lga_code`; unknown values are omitted. Times are seconds since 1970. ' +
    'From zoom 10 on, or with at most 100 in the tile, incidents are shown individually; with more than 2,000 in the tile they are clustered at any zoom. The newest is drawn last.',
  scope: 'read',
  pathParameters: {
    z: 'The zoom, from 0 to 16; maps enlarge the tiles of zoom 16 beyond that.',
    x: 'The column, from 0 in the west to 2^z − 1.',
    y: 'The row, from 0 in the north to 2^z − 1.',
  },
  query: FILTER_PARAMETERS,
  response: {
    status: 200,
    description: 'The tile.',
    schema: Type.Unsafe({ description: 'A Mapbox Vector Tile.' }),
    contentType: 'application/vnd.mapbox-vector-tile',
    headers: { ETag: 'Send it as `If-None-Match` to get 304 while nothing has changed.' },
  },
  otherResponses: [{ status: 204, description: 'The tile has no incidents.', schema: null }],
  problems: ['invalid_parameter', ...SEARCH_PROBLEMS],
})
