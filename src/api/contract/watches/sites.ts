import Type from 'typebox'
import { MAX_SITE_RADIUS_KM, MAX_SITE_TEXT, MAX_SITES } from '../../../domain/sites.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, PAGING, pageParameters, Time } from '../schema.ts'

const id = { id: 'The id of the list, such as `sit_01jd8z0c5x…`.' }
const name = Type.String({ minLength: 1, maxLength: 100, description: 'Unique among the site lists of your account.' })

export const Site = Named(
  'Site',
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: MAX_SITE_TEXT }),
      latitude: Type.Number({ minimum: -90, maximum: 90, description: 'Kept with six decimals, about 11 cm.' }),
      longitude: Type.Number({ minimum: -180, maximum: 180 }),
      radius_km: Type.Number({ exclusiveMinimum: 0, maximum: MAX_SITE_RADIUS_KM }),
      reference: Type.Optional(
        Nullable(Type.String({ maxLength: MAX_SITE_TEXT, description: 'Your own number or code for the site.' })),
      ),
    },
    { description: 'A place, and the distance within which its owner wants to hear of incidents.' },
  ),
)

export const SiteList = Named(
  'SiteList',
  Type.Object(
    {
      id: Type.String(),
      name,
      size: Type.Integer({ minimum: 1, maximum: MAX_SITES, description: 'How many sites it has.' }),
      version: Type.Integer({ minimum: 1, description: 'Counts the changes of its sites.' }),
      watches: Type.Integer({ minimum: 0, description: 'How many of your watches use the list.' }),
      created_at: Time('When the list was saved.'),
      updated_at: Time('When the list was last changed.'),
    },
    { description: 'A saved list of sites, without the sites.' },
  ),
)

const example = {
  name: 'Depots',
  sites: [{ name: 'Depot Kaduna', latitude: 10.52, longitude: 7.44, radius_km: 25, reference: 'KD-1' }],
}
const body = Type.Object(
  { name, sites: Type.Array(Type.Ref('Site'), { minItems: 1, maxItems: MAX_SITES }) },
  { additionalProperties: false, example },
)
const otherBodies = {
  'text/csv': Type.String({
    description: 'A header line `name,latitude,longitude,radius_km,reference`, then a line for each site.',
  }),
  'application/geo+json': Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'A FeatureCollection of points with the properties `name`, `radius_km` and `reference`.',
    },
  ),
}
const query = {
  name: { description: 'The name of the list, if the body is CSV or GeoJSON, which have none.', example: 'Depots' },
}
/**
 * Ten thousand sites as GeoJSON as programs write it, with names and references of usual length.
 */
const maxBodyBytes = 4 * 1024 * 1024

export const createSites = endpoint({
  id: 'createSites',
  method: 'POST',
  path: '/v1/sites',
  tag: 'Sites',
  summary: 'Save a list of sites',
  description: `Saves up to ${MAX_SITES.toLocaleString('en')} sites under a name, as JSON, CSV or GeoJSON of at most 4 MB. Its id is \`sites\` in lists, statistics, tiles, streams and the filters of watches: an incident matches if its position lies within the radius of one of the sites. Only your account can see and use it.`,
  scope: 'watch',
  quota: 'site_uploads_per_minute',
  query,
  sample: {},
  body,
  otherBodies,
  maxBodyBytes,
  bodyCheck: 'by the handler',
  response: { status: 201, description: 'The list.', schema: Type.Ref('SiteList') },
  problems: ['invalid_body', 'invalid_parameter', 'name_taken', 'too_many_site_lists'],
})

export const listSites = endpoint({
  id: 'listSites',
  method: 'GET',
  path: '/v1/sites',
  tag: 'Sites',
  summary: 'List your site lists',
  scope: 'watch',
  query: pageParameters('Lists', 100),
  response: {
    status: 200,
    description: 'Newest first.',
    schema: Type.Object({
      data: Type.Array(Type.Ref('SiteList')),
      ...PAGING,
    }),
  },
  problems: ['invalid_parameter', 'invalid_cursor'],
})

export const readSites = endpoint({
  id: 'readSites',
  method: 'GET',
  path: '/v1/sites/{id}',
  tag: 'Sites',
  summary: 'Read a list with a page of its sites',
  scope: 'watch',
  pathParameters: id,
  query: pageParameters('Sites', 1000),
  response: {
    status: 200,
    description: 'The list, with sites in their order in `data`.',
    schema: Type.Object({
      list: Type.Ref('SiteList'),
      data: Type.Array(Type.Ref('Site')),
      ...PAGING,
    }),
  },
  problems: ['invalid_parameter', 'invalid_cursor', 'not_found'],
})

export const replaceSites = endpoint({
  id: 'replaceSites',
  method: 'PUT',
  path: '/v1/sites/{id}',
  tag: 'Sites',
  summary: 'Replace the sites of a list',
  description:
    'The body is as in `POST /v1/sites`; without a name the list keeps its own. Watches that use the list match by its new sites from then on, on all nodes. Open streams keep the sites with which they began, and cursors of lists by these sites end.',
  scope: 'watch',
  quota: 'site_uploads_per_minute',
  pathParameters: id,
  query,
  sample: {},
  body,
  otherBodies,
  maxBodyBytes,
  bodyCheck: 'by the handler',
  response: { status: 200, description: 'The list.', schema: Type.Ref('SiteList') },
  problems: ['invalid_body', 'invalid_parameter', 'not_found', 'name_taken'],
})

export const deleteSites = endpoint({
  id: 'deleteSites',
  method: 'DELETE',
  path: '/v1/sites/{id}',
  tag: 'Sites',
  summary: 'Delete a list of sites',
  description: 'A list that watches use is not deleted: 409 `sites_in_use` names them.',
  scope: 'watch',
  pathParameters: id,
  query: {},
  response: { status: 204, description: 'The list is gone.', schema: null },
  problems: ['invalid_parameter', 'not_found', 'sites_in_use'],
})
