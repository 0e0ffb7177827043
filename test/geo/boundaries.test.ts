import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Location } from '../../src/domain/incident.ts'
import { boundariesOf, matchAreas, readBoundaries, readFeatures } from '../../src/geo/boundaries.ts'
import type { LgaRecord } from '../../src/geo/data.ts'
import { boundaryLocate, estimatedLocate, type Locate, openGeography } from '../../src/geo/geography.ts'
import {
  BoundariesFetchError,
  checkBoundaries,
  fetchBoundaries,
  relocations,
} from '../../src/geo/install-boundaries.ts'
import { places } from '../../src/geo/places.ts'
import { readRoads, roadsOf } from '../../src/geo/roads.ts'
import { boxFeatures, collection, type FeatureRecord, square } from './boundaries-fixture.ts'
import { absent, boundaryText } from './truth.ts'

const estimated = estimatedLocate()
const named = (name: string, ...rings: unknown[]) => ({
  type: 'Feature',
  properties: { ADM2_EN: name, ADM1_EN: 'Kaduna' },
  geometry: { type: 'Polygon', coordinates: rings },
})

test('the error for an unreadable file names the file and the reason', () => {
  assert.throws(() => readBoundaries('/nowhere/lgas.geojson'), /\/nowhere\/lgas\.geojson: .*no such file/)
  assert.throws(() => readBoundaries(import.meta.filename), /boundaries\.test\.ts: the file is not JSON/)
})

test('a file without a single usable polygon is refused', () => {
  assert.throws(() => boundariesOf(collection([named('Chikun', [])])), /no polygon in Nigeria/)
})

test('the notes name what did not match, and are empty where everything matched', () => {
  assert.deepEqual(boundariesOf(collection(boxFeatures(({ name }, state) => ({ lga: name, state })))).notes, [])
  const { notes } = boundariesOf(
    collection([named('Chikun', square(7, 10, 8, 11)), named('Atlantis', square(3, 7, 3.1, 7.1))]),
  )
  assert.equal(notes[0], '“Atlantis” (Kaduna) is not a known LGA')
  assert.equal(notes.length, 1 + 773)
})

test('a point in a hole is not in the area around it', () => {
  const around = named('Chikun', square(7, 10, 8, 11), square(7.4, 10.4, 7.6, 10.6))
  const within = named('Kaduna South', square(7.4, 10.4, 7.6, 10.6))
  const locate = boundaryLocate(boundariesOf(collection([around, within])), estimated)
  const lgaAt = (lat: number, lng: number): string => {
    const found = locate(lat, lng)
    return found.kind === 'located' ? `${found.lga.name}, ${found.basis}` : found.kind
  }
  assert.equal(lgaAt(10.2, 7.2), 'Chikun, boundary')
  assert.equal(lgaAt(10.5, 7.5), 'Kaduna South, boundary')
})

test('an LGA that the file lacks is still estimated; a point in a gap goes to the nearest', () => {
  const all = boxFeatures(({ name }, state) => ({ lga: name, state }))
  const lacking = boundariesOf(collection(all.filter(({ properties }) => properties.lga !== 'Abadam')))
  const abadam = boundaryLocate(lacking, estimated)(13.55, 13.2)
  assert.equal(abadam.kind === 'located' && `${abadam.lga.name} ${abadam.basis}`, 'Abadam estimated')

  const alone = { ...boundariesOf(collection([named('Chikun', square(7, 10, 8, 11))])), missing: [] }
  const locate = boundaryLocate(alone, estimated)
  assert.equal(locate(10.5, 8.02).kind, 'located')
  assert.equal(locate(10.5, 8.04).kind, 'outside')
})

test('the geography offers LGA outlines only with the operator’s file, in a form that can be read back', () => {
  assert.equal(openGeography(null).lgasGeoJson, null)
  const boundaries = boundariesOf(collection(boxFeatures(({ name }) => ({ shapeName: name }))))
  const { lgasGeoJson, basis } = openGeography(boundaries)
  assert.equal(basis, 'boundary')
  const again = boundariesOf(lgasGeoJson!.toString())
  assert.deepEqual([again.matches.length, again.notes], [774, []])
})

/** Names of an LGA and its state in the files of each publisher. */
const PUBLISHERS: Readonly<Record<string, (lga: LgaRecord, state: string) => Record<string, unknown>>> = {
  'our own': ({ name, state }, stateName) => ({ lga: name, state: stateName, state_iso: state }),
  geoBoundaries: ({ name }) => ({ shapeName: name, shapeISO: '', shapeID: '1', shapeGroup: 'NGA', shapeType: 'ADM2' }),
  'COD-AB': ({ name }, state) => ({ ADM2_EN: name, ADM2_PCODE: 'NG001001', ADM1_EN: state, ADM0_EN: 'Nigeria' }),
  'COD-AB of 2024': ({ name }, state) => ({ adm2_name: name, adm1_name: state, adm0_name: 'Nigeria' }),
  GRID3: ({ name }, state) => ({ lga_name: name, lga_code: '1', state_name: state, OBJECTID: 4 }),
  'GRID3, older': ({ name }, state) => ({ lganame: name.toUpperCase(), statename: state, statecode: 'XX' }),
}

describe('a file of each publisher matches all 774 LGAs', () => {
  for (const [publisher, properties] of Object.entries(PUBLISHERS)) {
    test(publisher, () => {
      const { matches, unmatched, duplicates, missing } = matchAreas(
        readFeatures(collection(boxFeatures(properties))),
        places,
      )
      assert.equal(matches.length, 774)
      assert.deepEqual([unmatched, duplicates, missing], [[], [], []])
      for (const { lga, area } of matches)
        assert.ok(area.area.box.west <= lga.lng && area.area.box.east >= lga.lng, lga.code)
    })
  }
})

test('an area without a known name is matched by its location', () => {
  const features = boxFeatures(({ name }) => ({ shapeName: name === 'Chikun' ? 'Sabon Tasha' : name }))
  const { matches } = matchAreas(readFeatures(collection(features)), places)
  assert.deepEqual(
    matches.filter(({ by }) => by === 'place').map(({ lga }) => lga.code),
    ['NG-KD-CHIKUN'],
  )
})

test('a name of another state does not outweigh the location', () => {
  const features = boxFeatures(({ name }) => ({ shapeName: name }))
  const chikun = features.find(({ properties }) => properties.shapeName === 'Chikun')!
  const gwoza = features.find(({ properties }) => properties.shapeName === 'Gwoza')!
  const swapped = [chikun.geometry, gwoza.geometry]
  chikun.geometry = swapped[1]!
  gwoza.geometry = swapped[0]!
  const { matches } = matchAreas(readFeatures(collection(features)), places)
  const found = matches.find(({ area }) => area.name === 'Gwoza')!
  assert.deepEqual([found.lga.code, found.by], ['NG-KD-CHIKUN', 'place'])
})

test('unmatched, duplicate and missing areas are reported', () => {
  const features = boxFeatures(PUBLISHERS['COD-AB']!)
  const [first, second] = features
  first!.properties.ADM2_EN = second!.properties.ADM2_EN
  first!.geometry = {
    type: 'Polygon',
    coordinates: [
      [
        [9, 9],
        [9.001, 9],
        [9.001, 9.001],
        [9, 9],
      ],
    ],
  }
  features.push({ ...first!, properties: { ADM2_EN: 'Atlantis', ADM1_EN: 'Nowhere' } })
  const { matches, unmatched, duplicates, missing } = matchAreas(readFeatures(collection(features)), places)
  assert.equal(matches.length, 773)
  assert.deepEqual(
    unmatched.map(({ name }) => name),
    ['Atlantis'],
  )
  assert.deepEqual(duplicates.length, 1)
  assert.deepEqual(missing.length, 1)
})

test('the real file matches completely, with its states and without', { skip: absent }, () => {
  const areas = readFeatures(boundaryText())
  const withStates = matchAreas(areas, places)
  const without = matchAreas(
    areas.map((area) => ({ ...area, state: null })),
    places,
  )
  const pairs = ({ matches }: typeof withStates): string[] =>
    matches.map(({ area, lga }) => `${area.number} ${lga.code}`).sort()
  assert.equal(withStates.matches.length, 774)
  assert.ok(withStates.matches.every(({ by }) => by === 'name'))
  assert.deepEqual(pairs(without), pairs(withStates))
})

describe('install boundaries', () => {
  const whole = (): FeatureRecord[] => boxFeatures(({ name }, state) => ({ ADM2_EN: name, ADM1_EN: state }))
  const check = (text: string) => checkBoundaries(Buffer.from(text))

  test('a whole file is fine, and known by its SHA-256', () => {
    const text = collection(whole())
    const report = check(text)
    assert.deepEqual(report.problems, [])
    assert.equal(report.ok, true)
    assert.deepEqual([report.polygons, report.matched, report.bytes], [774, 774, Buffer.byteLength(text)])
    assert.equal(report.sha256, createHash('sha256').update(text).digest('hex'))
  })

  test('the real file is fine', { skip: absent }, () => {
    const { ok, problems, warnings } = check(boundaryText())
    assert.deepEqual({ ok, problems, warnings }, { ok: true, problems: [], warnings: [] })
  })

  const UNREADABLE = {
    nothing: '',
    'no JSON': '<html>',
    null: 'null',
    'a list': '[]',
    'a feature': '{"type":"Feature"}',
    'odd features': '{"type":"FeatureCollection","features":{}}',
  }

  describe('what is no boundary file is refused with a reason', () => {
    for (const [name, text] of Object.entries(UNREADABLE)) {
      test(name, () => {
        const { ok, problems, matching } = check(text)
        assert.deepEqual([ok, problems.length, matching], [false, 1, null])
      })
    }
  })

  type Ring = [number, number][]

  const RINGS: Readonly<Record<string, readonly [ring: unknown, problem: RegExp]>> = {
    'too short': [
      [
        [7, 10],
        [8, 10],
        [7, 10],
      ],
      /fewer than four/,
    ],
    'not closed': [
      [
        [7, 10],
        [8, 10],
        [8, 11],
        [7, 11],
      ],
      /not closed/,
    ],
    'without an inside': [
      [
        [7, 10],
        [8, 10],
        [7, 10],
        [7, 10],
      ],
      /encloses nothing/,
    ],
    'in metres': [
      [
        [780_000, 1_100_000],
        [790_000, 1_100_000],
        [790_000, 1_200_000],
        [780_000, 1_100_000],
      ],
      /outside Nigeria/,
    ],
    'the wrong way round': [
      [
        [10, 70],
        [10, 80],
        [11, 80],
        [10, 70],
      ] satisfies Ring,
      /outside Nigeria/,
    ],
    'not numbers': [
      [
        ['7', '10'],
        ['8', '10'],
        ['8', '11'],
        ['7', '10'],
      ],
      /not a list of positions/,
    ],
    'not a list': ['ring', /not a list of positions/],
  }

  describe('a ring that cannot tell inside from outside is a problem', () => {
    for (const [name, [ring, problem]] of Object.entries(RINGS)) {
      test(name, () => {
        const features = whole()
        features[0]!.geometry.coordinates = [ring]
        const { ok, problems } = check(collection(features))
        assert.equal(ok, false)
        assert.ok(
          problems.some((each) => problem.test(each)),
          problems.join('\n'),
        )
      })
    }
  })

  test('a ring that crosses itself is a warning', () => {
    const features = whole()
    const [[corner, east, north, west]] = features[0]!.geometry.coordinates as [Ring]
    const halfway: [number, number] = [west![0], (corner![1] + west![1]) / 2]
    features[0]!.geometry.coordinates = [[corner, north, east, halfway, corner]]
    const { ok, warnings } = check(collection(features))
    assert.equal(ok, true)
    assert.match(warnings.join('\n'), /crosses itself/)
  })

  test('missing, duplicate and unmatched areas are problems, by name', () => {
    const features = whole().slice(1)
    features.push({ ...features[5]! }, { ...features[5]!, properties: { ADM2_EN: 'Atlantis' } })
    const { ok, problems } = check(collection(features))
    assert.equal(ok, false)
    assert.ok(problems.includes('the file has 775 areas, not 774'))
    assert.ok(problems.some((each) => /Aba North \(Abia\) is missing/.test(each)))
    assert.ok(problems.some((each) => /a second time/.test(each)))
    assert.ok(problems.some((each) => /“Atlantis” is not a known LGA/.test(each)))
  })

  test('features without properties or geometry are problems, not crashes', () => {
    const report = check(
      collection([
        null,
        7,
        {},
        { type: 'Feature', properties: null, geometry: null },
        { properties: { __proto__: 1 } },
      ]),
    )
    assert.equal(report.ok, false)
    assert.equal(report.matched, 0)
  })

  const FILE = collection(boxFeatures(({ name }) => ({ shapeName: name, shapeGroup: 'NGA', shapeType: 'ADM2' })))

  let server: Server
  let origin: string
  let answers: Map<string, { status: number; body: string; location?: string }>

  before(async () => {
    server = createServer((request, response) => {
      const answer = answers.get(request.url ?? '') ?? { status: 404, body: 'not here' }
      response.writeHead(answer.status, answer.location ? { location: answer.location } : {}).end(answer.body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })

  after(() => new Promise((resolve) => server.close(resolve)))

  beforeEach(() => {
    answers = new Map([
      ['/api/current/gbOpen/NGA/ADM2/', { status: 200, body: JSON.stringify(entry()) }],
      ['/raw/simplified.geojson', { status: 302, body: '', location: '/media/simplified.geojson' }],
      ['/media/simplified.geojson', { status: 200, body: FILE }],
    ])
  })

  /** The response of geoBoundaries' API for one country and level. */
  function entry(): Record<string, string> {
    return {
      boundaryID: 'NGA-ADM2-74536767',
      boundaryName: 'Nigeria',
      boundaryISO: 'NGA',
      boundaryYearRepresented: '2019',
      boundaryType: 'ADM2',
      boundarySource: 'OSGOF, OCHA ROWCA',
      boundaryLicense: 'Creative Commons Attribution 3.0 Intergovernmental Organisations (CC BY 3.0 IGO)',
      licenseDetail: 'nan',
      licenseSource: 'data.humdata.org/dataset/nga-administrative-boundaries',
      gjDownloadURL: `${origin}/raw/full.geojson`,
      simplifiedGeometryGeoJSON: `${origin}/raw/simplified.geojson`,
    }
  }

  const api = (): string => `${origin}/api/current/gbOpen/NGA/ADM2/`

  test('without an argument the API is asked for the current edition, with its licence', async () => {
    const { bytes, source, licence, edition } = await fetchBoundaries(null, api())
    assert.equal(source, `${origin}/raw/simplified.geojson`)
    assert.match(licence!, /CC BY 3\.0 IGO/)
    assert.doesNotMatch(licence!, /nan/)
    assert.match(edition!, /OSGOF, OCHA ROWCA, NGA-ADM2-74536767, 2019/)
    const report = checkBoundaries(bytes)
    assert.deepEqual([report.ok, report.matched], [true, 774])
  })

  test('the API may also answer with a list', async () => {
    answers.set('/api/current/gbOpen/NGA/ADM2/', { status: 200, body: JSON.stringify([entry()]) })
    assert.equal((await fetchBoundaries(null, api())).bytes.length, Buffer.byteLength(FILE))
  })

  test('a URL and a file are fetched as they are, without a licence', async () => {
    const fetched = await fetchBoundaries(`${origin}/media/simplified.geojson`)
    assert.deepEqual([fetched.licence, fetched.edition, fetched.bytes.length], [null, null, Buffer.byteLength(FILE)])

    const folder = await mkdtemp(join(tmpdir(), 'incident-feed-boundaries-'))
    try {
      const path = join(folder, 'lgas.geojson')
      await writeFile(path, FILE)
      assert.equal((await fetchBoundaries(path)).source, path)
      assert.equal((await fetchBoundaries(pathToFileURL(path).href)).source, path)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  const BROKEN: Readonly<Record<string, (entry: Record<string, string>) => { status: number; body: string }>> = {
    'an API that is down': () => ({ status: 503, body: '' }),
    'an API that answers with HTML': () => ({ status: 200, body: '<html>' }),
    'another country': (entry) => ({ status: 200, body: JSON.stringify({ ...entry, boundaryISO: 'BEN' }) }),
    'another level': (entry) => ({ status: 200, body: JSON.stringify({ ...entry, boundaryType: 'ADM1' }) }),
    'no download': (entry) => ({
      status: 200,
      body: JSON.stringify({ ...entry, gjDownloadURL: '', simplifiedGeometryGeoJSON: 'nan' }),
    }),
    'a download that is gone': (entry) => ({
      status: 200,
      body: JSON.stringify({ ...entry, simplifiedGeometryGeoJSON: `${origin}/gone` }),
    }),
    'nothing at all': () => ({ status: 200, body: 'null' }),
  }

  for (const [name, answer] of Object.entries(BROKEN)) {
    test(`${name} is a BoundariesFetchError`, async () => {
      answers.set('/api/current/gbOpen/NGA/ADM2/', answer(entry()))
      await assert.rejects(fetchBoundaries(null, api()), BoundariesFetchError)
    })
  }

  test('a missing file and an unreachable server are named in the error', async () => {
    await assert.rejects(fetchBoundaries('/nowhere/lgas.geojson'), /\/nowhere\/lgas\.geojson cannot be read/)
    await assert.rejects(
      fetchBoundaries('http://127.0.0.1:1/lgas.geojson'),
      /127\.0\.0\.1:1\/lgas\.geojson cannot be fetched/,
    )
  })

  const chikun = places.lgas.find(({ code }) => code === 'NG-KD-CHIKUN')!
  const intoChikun: Locate = (lat) =>
    lat > 14
      ? { kind: 'outside', message: '' }
      : { kind: 'located', state: chikun.state, lga: chikun, basis: 'boundary' }

  function incident(id: string, location: Partial<Location>, lat = 10) {
    const known = { precision: 'settlement', lga_code: 'NG-KD-KAJURU', lga_basis: 'estimated' } as const
    return { id, lat, lng: 7, location: { ...known, ...location } }
  }

  test('only incidents whose LGA was found from their point, and would be another, are relocated', () => {
    const incidents = [
      incident('estimated elsewhere', {}),
      incident('by an older boundary', { lga_basis: 'boundary', precision: 'exact' }),
      incident('without an LGA', { lga_code: null, lga_basis: null }),
      incident('right already', { lga_code: 'NG-KD-CHIKUN' }),
      incident('reported by its source', { lga_basis: 'reported' }),
      incident('known by its LGA only', { precision: 'lga' }),
      incident('known by its state only', { precision: 'state', lga_code: null, lga_basis: null }),
      incident('outside', {}, 15),
    ]
    const moved = [...relocations(incidents, intoChikun)]
    assert.deepEqual(
      moved.map(({ incident }) => incident.id),
      ['estimated elsewhere', 'by an older boundary', 'without an LGA'],
    )
    assert.ok(moved.every(({ lga, state }) => lga === chikun && state === chikun.state))
  })
})

describe('roads', () => {
  const road = (properties: object, ...coordinates: number[][]) => ({
    type: 'Feature',
    properties,
    geometry: { type: 'LineString', coordinates },
  })
  const collection = (...features: object[]) => JSON.stringify({ type: 'FeatureCollection', features })
  const EXPRESSWAY = [
    [7.491234567, 9.06],
    [7.44, 10.52],
  ]

  test('roads keep their class, number and name; other properties and digits are left out', () => {
    const { geoJson, notes } = roadsOf(
      collection(road({ highway: 'trunk_link', ref: 'A2', name: 'Abuja–Kaduna', lanes: 4 }, ...EXPRESSWAY)),
    )
    assert.deepEqual(notes, [])
    assert.deepEqual(JSON.parse(String(geoJson)), {
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          properties: { class: 'trunk', ref: 'A2', name: 'Abuja–Kaduna' },
          geometry: {
            type: 'MultiLineString',
            coordinates: [
              [
                [7.4912, 9.06],
                [7.44, 10.52],
              ],
            ],
          },
        },
      ],
    })
  })

  test('the words of OpenStreetMap, Natural Earth and gROADS are classes', () => {
    const classes = [{ fclass: 'primary' }, { type: 'Major Highway' }, { FCLASS: 3 }, { class: 'tertiary' }, {}].map(
      (properties) => {
        const { geoJson } = roadsOf(collection(road(properties, ...EXPRESSWAY)))
        return (JSON.parse(String(geoJson)) as { features: [{ properties: { class: string } }] }).features[0].properties
          .class
      },
    )
    assert.deepEqual(classes, ['primary', 'trunk', 'secondary', 'tertiary', 'other'])
  })

  test('roads of other countries are left out, and a feature that is no line is named', () => {
    const point = { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [7, 9] } }
    const { geoJson, notes } = roadsOf(collection(road({}, [1, 48], [2, 49]), point, road({}, ...EXPRESSWAY)))
    assert.equal((JSON.parse(String(geoJson)) as { features: unknown[] }).features.length, 1)
    assert.deepEqual(notes, ['feature 2 is left out: its geometry is neither a LineString nor a MultiLineString'])
  })

  for (const [what, text, message] of [
    ['text that is not JSON', 'roads', /the file is not JSON/],
    ['a single feature', JSON.stringify(road({}, ...EXPRESSWAY)), /not a GeoJSON FeatureCollection/],
    ['an empty collection', collection(), /no line in Nigeria/],
    ['coordinates in metres', collection(road({}, [833_000, 1_000_000], [840_000, 1_100_000])), /no line in Nigeria/],
    [
      'broken lines only',
      collection(road({}, [7, 9])),
      /no line in Nigeria; feature 1 is left out: a line is not a list/,
    ],
  ] as const) {
    test(`${what} is refused with its reason`, () => assert.throws(() => roadsOf(text), message))
  }

  test('the error for an unreadable file names the setting, the file and the reason', () => {
    assert.throws(() => readRoads('/nowhere/roads.geojson'), /MAP_ROADS: \/nowhere\/roads\.geojson: .*no such file/)
  })
})
