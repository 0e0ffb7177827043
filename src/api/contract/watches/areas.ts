import Type from 'typebox'
import { MAX_RADIUS_KM } from '../../../filter/filter/parameters.ts'
import { endpoint } from '../endpoint.ts'
import { CheckedByHandler, Named, OneOf, PAGING, pageParameters, Time } from '../schema.ts'

const id = { id: 'The id of the area, such as `are_01jd8z0c5x…`.' }
const name = Type.String({ minLength: 1, maxLength: 100, description: 'Unique among the areas of your account.' })
const shapes = {
  polygon: Type.Optional(CheckedByHandler(Type.Ref('Region'))),
  route: Type.Optional(CheckedByHandler(Type.Ref('Route'))),
  circle: Type.Optional(
    Type.Object(
      {
        lat: Type.Number({ minimum: -90, maximum: 90 }),
        lng: Type.Number({ minimum: -180, maximum: 180 }),
        radius_km: Type.Number({ exclusiveMinimum: 0, maximum: MAX_RADIUS_KM }),
      },
      { additionalProperties: false, description: 'A point and the distance from it.' },
    ),
  ),
}

export const Area = Named(
  'Area',
  Type.Object(
    {
      id: Type.String(),
      name,
      kind: OneOf(['polygon', 'route', 'circle'], 'The member that has the shape.'),
      ...shapes,
      watches: Type.Integer({ minimum: 0, description: 'How many of your watches use the area.' }),
      created_at: Time('When the area was saved.'),
      updated_at: Time('When the area was last changed.'),
    },
    { description: 'A saved area. It has one of `polygon`, `route` and `circle`.' },
  ),
)

const example = { name: 'Depot', circle: { lat: 10.52, lng: 7.44, radius_km: 25 } }

export const createArea = endpoint({
  id: 'createArea',
  method: 'POST',
  path: '/v1/areas',
  tag: 'Areas',
  summary: 'Save an area',
  description:
    'Saves one `polygon`, `route` or `circle` under a name. Its id is `area` in lists, statistics, tiles, streams and the filters of watches. Only your account can see and use it.',
  scope: 'watch',
  body: Type.Object({ name, ...shapes }, { additionalProperties: false, example }),
  response: { status: 201, description: 'The area.', schema: Type.Ref('Area') },
  problems: ['invalid_body', 'name_taken', 'too_many_areas'],
})

export const listAreas = endpoint({
  id: 'listAreas',
  method: 'GET',
  path: '/v1/areas',
  tag: 'Areas',
  summary: 'List your areas',
  scope: 'watch',
  query: pageParameters('Areas', 100),
  response: {
    status: 200,
    description: 'Newest first.',
    schema: Type.Object({
      data: Type.Array(Type.Ref('Area')),
      ...PAGING,
    }),
  },
  problems: ['invalid_parameter', 'invalid_cursor'],
})

export const readArea = endpoint({
  id: 'readArea',
  method: 'GET',
  path: '/v1/areas/{id}',
  tag: 'Areas',
  summary: 'Read an area',
  scope: 'watch',
  pathParameters: id,
  query: {},
  response: { status: 200, description: 'The area.', schema: Type.Ref('Area') },
  problems: ['invalid_parameter', 'not_found'],
})

export const changeArea = endpoint({
  id: 'changeArea',
  method: 'PATCH',
  path: '/v1/areas/{id}',
  tag: 'Areas',
  summary: 'Rename or redraw an area',
  description:
    'Only the fields sent change; a shape replaces the one before, of whatever kind. Watches that use the area match by its new shape from then on. Open streams keep the shape with which they began, and cursors of lists in the area end.',
  scope: 'watch',
  pathParameters: id,
  body: Type.Object(
    { name: Type.Optional(name), ...shapes },
    { additionalProperties: false, example: { name: 'Depot' } },
  ),
  response: { status: 200, description: 'The area.', schema: Type.Ref('Area') },
  problems: ['invalid_body', 'not_found', 'name_taken'],
})

export const deleteArea = endpoint({
  id: 'deleteArea',
  method: 'DELETE',
  path: '/v1/areas/{id}',
  tag: 'Areas',
  summary: 'Delete an area',
  description: 'An area that watches use is not deleted: 409 `area_in_use` names them.',
  scope: 'watch',
  pathParameters: id,
  query: {},
  response: { status: 204, description: 'The area is gone.', schema: null },
  problems: ['invalid_parameter', 'not_found', 'area_in_use'],
})
