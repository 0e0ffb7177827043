import Type from 'typebox'
import { INDEXED_FILTER_PARAMETERS, type NumberBounds } from '../../../filter/filter/parameters.ts'
import { MAX_ZOOM } from '../../../filter/tile.ts'
import { endpoint } from '../endpoint.ts'
import { AREA_PROBLEMS, SEARCH_PROBLEMS } from '../search-problems.ts'

const COLUMN_OR_ROW = { type: 'integer', minimum: 0, maximum: 2 ** MAX_ZOOM - 1 } as const satisfies NumberBounds

export const readTile = endpoint({
  id: 'readTile',
  method: 'GET',
  path: '/v1/tiles/{z}/{x}/{y}.mvt',
  sample: { z: '5', x: '16', y: '15', since: '30d' },
  tag: 'Incidents',
  summary: 'Read a map tile',
  description:
    'The incidents that match all filters within one map tile (Web Mercator), as a Mapbox Vector Tile 2: the layer `incidents`, extent 4096, points only. ' +
    'A tile of 512 pixels has a grid of 8 × 8 cells, aligned with the world; each cell has at most one mark, at every zoom and whatever the tile holds. ' +
    'Every incident is in exactly one mark of each zoom, so the counts of a zoom add up to the list. ' +
    'A cell with one incident is a point at its position with `id`, `type`, `category`, `severity`, `confidence`, `precision`, `radius_km`, `published_at`, `occurred_at`, `state`, `state_code`, `lga` and `lga_code`; unknown values are omitted. ' +
    'A cell with several is a cluster with `count`, `severity` (the worst in it), the numbers of `low`, `medium`, `high` and `critical` incidents, `imprecise` (how many are known only to their LGA or state), their bounding box (`west`, `south`, `east`, `north`, usable as `bbox`), `same_point` (`true` if all are at one point; otherwise omitted), `newest` and `newest_occurred_at` (the latest `published_at` and `occurred_at`), and `state`, `state_code`, `lga` and `lga_code` where all have the same. ' +
    'A cluster is at the mean position of its incidents, moved so that a disc of 20 pixels around it stays inside its cell: discs never touch, across tiles too. Times are seconds since 1970. Clusters come first, then single incidents, the newest last.',
  scope: 'read',
  pathParameters: {
    z: {
      description: `The zoom, from 0 to ${MAX_ZOOM}; maps enlarge the tiles of zoom ${MAX_ZOOM} beyond that.`,
      number: { type: 'integer', minimum: 0, maximum: MAX_ZOOM },
    },
    x: { description: 'The column, from 0 in the west to 2^z − 1.', number: COLUMN_OR_ROW },
    y: { description: 'The row, from 0 in the north to 2^z − 1.', number: COLUMN_OR_ROW },
  },
  query: INDEXED_FILTER_PARAMETERS,
  requestHeaders: ['If-None-Match'],
  response: {
    status: 200,
    description: 'The tile.',
    schema: Type.Unsafe({ description: 'A Mapbox Vector Tile.' }),
    contentType: 'application/vnd.mapbox-vector-tile',
    headers: { ETag: 'Send it as `If-None-Match` to get 304 while nothing has changed.' },
  },
  otherResponses: [{ status: 204, description: 'The tile has no incidents.', schema: null }],
  problems: ['invalid_parameter', ...SEARCH_PROBLEMS, ...AREA_PROBLEMS],
})
