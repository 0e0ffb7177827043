const UNITS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  // Hausa
  daya: 1,
  biyu: 2,
  uku: 3,
  hudu: 4,
  biyar: 5,
  shida: 6,
  bakwai: 7,
  takwas: 8,
  tara: 9,
  goma: 10,
}
const TENS: Readonly<Record<string, number>> = {
  twenty: 20,
  thirty: 30,
  forty: 40,
  fourty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
}
const words = (table: Readonly<Record<string, number>>): string => Object.keys(table).join('|')

/** A number in figures or words, as a part of a pattern. */
export const NUMBER = `(?:\\d{1,3}(?:,\\d{3})+|\\d+|(?:${words(TENS)})(?:[- ](?:${words(UNITS)}))?|(?:${words(UNITS)}|a) hundred(?: and (?:${words(TENS)})(?:[- ](?:${words(UNITS)}))?| and (?:${words(UNITS)}))?|(?:${words(UNITS)}|a) dozen|half a dozen|${words(UNITS)})`

/** Reads what `NUMBER` matches; null for anything else. */
export function readNumber(text: string): number | null {
  const lower = text.toLowerCase().trim()
  if (/^[\d,]+$/.test(lower)) {
    const number = Number(lower.replaceAll(',', ''))
    return number > 0 && number < 20_000 ? number : null
  }
  if (lower === 'half a dozen') return 6
  const [head = '', ...rest] = lower.split(/[- ]+/).filter((word) => word !== 'and')
  const first = head === 'a' ? 1 : (TENS[head] ?? UNITS[head])
  if (first === undefined) return null
  if (rest[0] === 'dozen') return first * 12
  const tail = (from: number): number =>
    rest.slice(from).reduce((sum, word) => sum + (TENS[word] ?? UNITS[word] ?? 0), 0)
  return rest[0] === 'hundred' ? first * 100 + tail(1) : first + tail(0)
}
