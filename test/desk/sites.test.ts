import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { csvRecords, type ReadSites, sitesInCsv, sitesInGeoJson, sitesInJson } from '../../src/desk/sites.ts'
import { estimatedLocate } from '../../src/geo/geography.ts'

const locate = estimatedLocate()
const isInNigeria = (lat: number, lng: number) => locate(lat, lng).kind === 'located'
const HEADER = 'name,latitude,longitude,radius_km,reference'
const DEPOT = { name: 'Depot', latitude: 10.52, longitude: 7.44, radius_km: 25 }

const csv = (...lines: string[]) => sitesInCsv([HEADER, ...lines].join('\n'), isInNigeria)
const json = (...sites: unknown[]) => sitesInJson(sites, isInNigeria)
const geo = (...features: unknown[]) => sitesInGeoJson({ type: 'FeatureCollection', features }, isInNigeria)
const feature = (longitude: unknown, latitude: unknown, properties: unknown = { name: 'Depot', radius_km: 25 }) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [longitude, latitude] },
  properties,
})
const errorsOf = (read: ReadSites) => ('errors' in read ? read.errors : [])

const REFUSED: readonly (readonly [what: string, read: () => ReadSites, pointer: string, message: RegExp])[] = [
  ['NaN in CSV', () => csv('A,NaN,7,5,'), '', /^line 2: latitude must be a number in degrees, not "NaN"$/],
  ['Infinity in CSV', () => csv('A,10,7,Infinity,'), '', /^line 2: radius_km must be .* not "Infinity"$/],
  ['a decimal comma', () => csv('A,"10,5",7,5,'), '', /^line 2: latitude .* not "10,5"$/],
  ['degrees and minutes', () => csv(`A,10°31',7,5,`), '', /^line 2: latitude must be a number in degrees/],
  ['a missing number', () => csv('A,10,,5,'), '', /^line 2: longitude must be a number in degrees, and is missing$/],
  ['an endless value', () => csv(`A,${'9'.repeat(1e6)},7,5,`), '', /^line 2: latitude must be .{1,80}$/],
  ['a line with more cells than the header', () => csv('A,10,7,5,x,y'), '', /^line 2: has 6 cells, and the header 5/],
  ['an open quote', () => csv('A,10,7,5,', '"B,10,7,5,'), '', /^line 3: a quote is opened and never closed$/],
  ['semicolons', () => sitesInCsv(HEADER.replaceAll(',', ';'), isInNigeria), '', /^line 1: has semicolons between/],
  ['tabs', () => sitesInCsv(HEADER.replaceAll(',', '\t'), isInNigeria), '', /^line 1: has tabs between/],
  [
    'an unknown column',
    () => sitesInCsv(`${HEADER},note\n`, isInNigeria),
    '',
    /^line 1: has the unknown column "note"/,
  ],
  [
    'a repeated column',
    () => sitesInCsv(`${HEADER},name\n`, isInNigeria),
    '',
    /^line 1: has the repeated column "name"/,
  ],
  ['no header', () => sitesInCsv('Depot,10,7,5', isInNigeria), '', /^line 1: has no column name, latitude/],
  ['only a header', () => csv(), '', /^must have a site$/],
  ['an empty text', () => sitesInCsv('', isInNigeria), '', /^line 1: has no column/],
  [
    'too many lines, of which no more are read',
    () => csv(...Array<string>(10_001).fill('A,10,7,5,'), '"'),
    '',
    /^line 10002: a list takes up to 10,000 sites$/,
  ],
  [
    'too many sites',
    () => json(...Array<unknown>(10_001)),
    '/sites',
    /^has 10001 sites; a list takes up to 10,000 sites$/,
  ],
  [
    'too many features',
    () => geo(...Array<unknown>(10_001)),
    '/features',
    /^has 10001 sites; a list takes up to 10,000 sites$/,
  ],
  ['no radius', () => json({ ...DEPOT, radius_km: 0 }), '/sites/0/radius_km', /above 0 and up to 100, not 0$/],
  ['a radius of the whole country', () => json({ ...DEPOT, radius_km: 1000 }), '/sites/0/radius_km', /not 1000$/],
  [
    'a number that is no double',
    () => json({ ...DEPOT, latitude: Number('1e400') }),
    '/sites/0/latitude',
    /not Infinity$/,
  ],
  ['a text instead of a number', () => json({ ...DEPOT, latitude: '10' }), '/sites/0/latitude', /not "10"$/],
  ['a name of nothing but spaces', () => json({ ...DEPOT, name: ' \n ' }), '/sites/0/name', /up to 100 characters$/],
  ['a name that is too long', () => json({ ...DEPOT, name: 'x'.repeat(101) }), '/sites/0/name', /up to 100/],
  ['a reference that is no text', () => json({ ...DEPOT, reference: 7 }), '/sites/0/reference', /or be left out$/],
  ['no list', () => sitesInJson({ length: 1 }, isInNigeria), '/sites', /^must be a list of sites$/],
  ['a site that is none', () => json(null), '/sites/0/name', /./],
  [
    'GeoJSON that is no collection',
    () => sitesInGeoJson(feature(7, 10), isInNigeria),
    '',
    /FeatureCollection of points$/,
  ],
  [
    'a feature without a place',
    () => geo({ ...feature(7, 10), geometry: null }),
    '/features/0/geometry',
    /^latitude must be/,
  ],
  [
    'a line',
    () => geo({ ...feature(7, 10), geometry: { type: 'LineString', coordinates: [7, 10] } }),
    '/features/0/geometry',
    /./,
  ],
  [
    'a feature without a radius',
    () => geo(feature(7, 10, { name: 'A' })),
    '/features/0/properties/radius_km',
    /missing$/,
  ],
  [
    'coordinates in the order of maps',
    () => geo(feature(5.9, 16.5)),
    '/features/0/geometry',
    /must lie between 2 and 15/,
  ],
]
for (const [what, read, pointer, message] of REFUSED)
  test(`${what} is refused, and said where`, () => {
    const [first] = errorsOf(read())
    assert.equal(first?.pointer, pointer)
    assert.match(first!.message, message)
  })

test('a position that is right only the other way round is refused with that hint, another without', () => {
  const hint = /; latitude and longitude look swapped$/
  assert.match(errorsOf(json({ ...DEPOT, latitude: 15.5, longitude: 5 }))[0]!.message, hint)
  assert.doesNotMatch(errorsOf(json({ ...DEPOT, latitude: 51.5, longitude: -0.1 }))[0]!.message, hint)
})

test('a list whose sites lie in the sea or abroad, but in Nigeria the other way round, is refused', () => {
  const cities = [
    { ...DEPOT, name: 'Lagos', latitude: 6.5, longitude: 3.38 },
    { ...DEPOT, name: 'Sokoto', latitude: 13.06, longitude: 5.24 },
    { ...DEPOT, name: 'Abeokuta', latitude: 7.15, longitude: 3.35 },
    DEPOT,
  ]
  assert.deepEqual(errorsOf(json(...cities)), [])
  const swapped = cities.map((site) => ({ ...site, latitude: site.longitude, longitude: site.latitude }))
  assert.match(errorsOf(json(...swapped))[0]!.message, /^latitude and longitude look swapped: most sites lie outside/)
  assert.match(errorsOf(geo(feature(6.5, 3.38)))[0]!.message, /^latitude and longitude look swapped/)
})

test('a site abroad whose circle reaches Nigeria is taken, and some that do not are', () => {
  const mamfe = { ...DEPOT, name: 'Mamfe', latitude: 5.77, longitude: 9.28, radius_km: 80 }
  assert.deepEqual(errorsOf(json(mamfe)), [])
  const niamey = { ...DEPOT, name: 'Niamey', latitude: 13.51, longitude: 2.12 }
  assert.deepEqual(errorsOf(json(DEPOT, niamey)), [])
})

test('at most twenty errors are given', () => {
  assert.equal(errorsOf(csv(...Array<string>(100).fill('A,x,7,5,'))).length, 20)
})

test('positions are kept with six decimals, radii with three, and texts on one line', () => {
  const read = csv('" Depot\nKaduna ",10.12345678,7.4,25.00004,')
  assert.deepEqual(read, {
    sites: [{ name: 'Depot Kaduna', latitude: 10.123457, longitude: 7.4, radiusKm: 25, reference: null }],
  })
})

describe('records of CSV', () => {
  const CASES: readonly (readonly [what: string, text: string, records: readonly (readonly [number, string[]])[]])[] = [
    ['nothing', '', []],
    [
      'a byte order mark and Windows line breaks',
      '\uFEFFa,b\r\n1,2\r\n',
      [
        [1, ['a', 'b']],
        [2, ['1', '2']],
      ],
    ],
    [
      'old Macintosh line breaks',
      'a\r1\r',
      [
        [1, ['a']],
        [2, ['1']],
      ],
    ],
    [
      'no line break at the end',
      'a\n1',
      [
        [1, ['a']],
        [2, ['1']],
      ],
    ],
    [
      'empty lines, which count',
      'a\n\n , \n1',
      [
        [1, ['a']],
        [4, ['1']],
      ],
    ],
    ['empty cells', 'a,,\n', [[1, ['a', '', '']]]],
    [
      'commas, quotes and line breaks in quotes',
      '"a,b","c""d"\n"e\r\nf"\n1',
      [
        [1, ['a,b', 'c"d']],
        [2, ['e\r\nf']],
        [4, ['1']],
      ],
    ],
    ['quotes around nothing', '"",a', [[1, ['', 'a']]]],
    ['two quotes in quotes', '""""', [[1, ['"']]]],
  ]
  for (const [what, text, records] of CASES)
    test(`CSV: ${what}`, () => {
      assert.deepEqual(
        csvRecords(text, 100, 'too many'),
        records.map(([line, cells]) => ({ line, cells })),
      )
    })

  const FAULTS: readonly (readonly [what: string, text: string, line: number, message: RegExp])[] = [
    ['a quote that is never closed', 'a\n"b,1\nc,2\n', 2, /opened and never closed/],
    ['a doubled quote at the end', 'a\n"b""', 2, /opened and never closed/],
    ['text after a closing quote', 'a\n"b"c,1\n', 2, /follows a closing quote/],
    ['a space after a closing quote', '"a" ,b', 1, /follows a closing quote/],
    ['a quote inside a cell', 'a\n5" pipe,1\n', 2, /inside a cell/],
    ['nothing but commas', `a\n${','.repeat(1_000_000)}`, 2, /more than 100 cells/],
  ]
  for (const [what, text, line, message] of FAULTS)
    test(`CSV with ${what} is refused with the line`, () => {
      const fault = csvRecords(text, 100, 'too many')
      assert.ok('message' in fault)
      assert.equal(fault.line, line)
      assert.match(fault.message, message)
    })
})
