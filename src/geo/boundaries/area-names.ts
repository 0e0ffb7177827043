/** Properties that publishers of LGA boundaries use, in order of preference; case is ignored. */
const NAMES = [
  'lga', // this service's own /v1/places/lgas.geojson
  'shapeName', // geoBoundaries
  'ADM2_EN', // COD-AB
  'adm2_name', // COD-AB since 2024
  'admin2Name_en', // COD-AB, older
  'admin2Name',
  'lga_name', // GRID3
  'lganame', // GRID3, older
  'LGAName',
  'NAME_2', // GADM
]

const STATES = [
  'state_iso',
  'state_code_iso',
  'state',
  'ADM1_EN',
  'adm1_name',
  'admin1Name_en',
  'admin1Name',
  'state_name',
  'statename',
  'NAME_1',
]

export interface AreaNames {
  readonly name: string | null
  /** Null where the file does not state it, as geoBoundaries' files do not. */
  readonly state: string | null
}

export function areaNames(properties: unknown): AreaNames {
  const texts = new Map<string, string>()
  if (typeof properties === 'object' && properties !== null) {
    for (const [key, value] of Object.entries(properties)) {
      if (typeof value === 'string' && value.trim() !== '') texts.set(key.toLowerCase(), value.trim())
    }
  }
  const first = (keys: readonly string[]): string | null => {
    for (const key of keys) {
      const text = texts.get(key.toLowerCase())
      if (text !== undefined) return text
    }
    return null
  }
  return { name: first(NAMES), state: first(STATES) }
}
