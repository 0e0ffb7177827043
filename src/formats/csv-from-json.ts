import { csvCell, LIST_SEPARATOR } from './csv.ts'

/** Without escapes, so that no quote is inside a string. */
const TEXT = String.raw`"([^"\\]*)"`
const TEXT_OR_NULL = `(?:null|${TEXT})`
/** A word that needs no escaping in a cell. */
const WORD = String.raw`"([A-Za-z][\w-]*)"`
const WORD_OR_NULL = `(?:null|${WORD})`
const TIME = String.raw`"(\d[\dT:.Z-]*)"`
const TIME_OR_NULL = `(?:null|${TIME})`
/** As JavaScript writes it: up to 15 digits are the same when they are read and written again. */
const NUMBER = String.raw`((?!-0[^.])-?\d{1,7}(?:\.\d{0,7}[1-9])?)`
const NUMBER_OR_NULL = `(?:null|${NUMBER})`

/** An incident's JSON as the store writes it: no spaces, members in the order of `Incident`. */
const DOCUMENT = new RegExp(
  String.raw`^\{"id":${WORD},"type":${WORD},"category":${WORD},"severity":${WORD},"state":${TEXT},"lga":${TEXT_OR_NULL},` +
    String.raw`"lat":${NUMBER},"lng":${NUMBER},"location":\{"place":${TEXT_OR_NULL},"precision":${WORD},` +
    String.raw`"radius_km":${NUMBER_OR_NULL},"state_code":${WORD},"lga_code":${WORD_OR_NULL},"lga_basis":${WORD_OR_NULL}\},` +
    String.raw`"confidence":${NUMBER},"confidence_reasons":\[[^\\]*?\],"summary":${TEXT},"sources":\[([^\\]*?)\]` +
    String.raw`(?:,"dataset":${TEXT})?(?:,"attribution":${TEXT})?,"casualties":\{"killed":${NUMBER_OR_NULL},` +
    String.raw`"injured":${NUMBER_OR_NULL},"abducted":${NUMBER_OR_NULL}\}(?:,"casualties_reported":(\[[^\\]*?\]))?,` +
    `"occurred_at":${TIME}(?:,"occurred_until":${TIME})?,"time_precision":${WORD},"reported_at":${TIME},` +
    `"confirmed_at":${TIME_OR_NULL},"published_at":${TIME_OR_NULL},"updated_at":${TIME},"status":${WORD},` +
    String.raw`"version":${NUMBER}(?:,"merged_into":${WORD})?\}$`,
)
const SOURCE = new RegExp(
  String.raw`\{"url":${TEXT_OR_NULL},"publisher":${TEXT},"published_at":(?:null|"[^"\\]*")\}(?:,(?=\{)|$)`,
  'y',
)
/** A text that a spreadsheet takes for a formula begins with none of these. */
const PLAIN_START = /^[A-Za-z0-9[\x80-\xff]/

/**
 * Writes the record of `csvRecord` from an incident's JSON without parsing it. The bytes of the
 * JSON are the characters of `json` (latin1), and those of the record the bytes of the CSV. Null
 * for a document in another form and for one with escapes, which have to be parsed.
 */
export function csvRecordFromJson(json: string): string | null {
  const found = DOCUMENT.exec(json)
  if (found === null) return null
  const sources = sourceCells(found[17]!)
  if (sources === null) return null
  const [, id, type, category, severity, state, lga, lat, lng, place, precision, radius, stateCode] = found
  const [lgaCode, lgaBasis, confidence, summary] = [found[13], found[14], found[15], found[16]!]
  const reported = found[23] === undefined ? '' : csvCell(found[23])
  return (
    `${id},${type},${category},${severity},${textCell(state)},${textCell(lga)},${lat},${lng},${textCell(place)},` +
    `${precision},${radius ?? ''},${stateCode},${lgaCode ?? ''},${lgaBasis ?? ''},${confidence},${textCell(summary)},` +
    `${found[20] ?? ''},${found[21] ?? ''},${found[22] ?? ''},${found[24]},${found[26]},${found[27]},` +
    `${found[28] ?? ''},${found[29] ?? ''},${found[30]},${found[31]},${found[32]},${sources},${found[25] ?? ''},` +
    `${reported},${textCell(found[18])},${textCell(found[19])}`
  )
}

/** The cells with the addresses and the publishers; null if `list` has another form. */
function sourceCells(list: string): string | null {
  let [urls, publishers] = ['', '']
  for (let at = 0; at < list.length; at = SOURCE.lastIndex) {
    SOURCE.lastIndex = at
    const found = SOURCE.exec(list)
    if (found === null) return null
    if (at > 0) {
      urls += LIST_SEPARATOR
      publishers += LIST_SEPARATOR
    }
    urls += (found[1] ?? '').replaceAll(LIST_SEPARATOR, '%7C')
    publishers += found[2]!.replaceAll(LIST_SEPARATOR, '/')
  }
  return `${textCell(urls)},${textCell(publishers)}`
}

/** Quotes and line breaks are escaped in JSON: only a comma and a formula are left to be found. */
function textCell(text: string | undefined): string {
  if (text === undefined || (PLAIN_START.test(text) && !text.includes(','))) return text ?? ''
  return csvCell(text)
}
