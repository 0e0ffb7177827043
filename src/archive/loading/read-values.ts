/** Reads single values from the bytes of JSON. NaN: the document has to be parsed. */

const ZERO = 0x30
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const END_OF_OBJECT = 0x7d
const MINUS = 0x2d
const POINT = 0x2e
/**
 * Integers with this many digits are exact, and so are powers of ten: their quotient is rounded
 * once, as JSON's is.
 */
const MAX_EXACT_DIGITS = 15
const POWERS_OF_TEN = Float64Array.from({ length: MAX_EXACT_DIGITS + 1 }, (_, power) => 10 ** power)

const TIME = 'dddd-dd-ddTdd:dd:dd.dddZ'
/** Without milliseconds, as sources and imports write it. */
const TIME_IN_SECONDS = 'dddd-dd-ddTdd:dd:ddZ'
const DAY_MS = 86_400_000
const MAX_DAY_OF_EVERY_MONTH = 28

/** Reads a string without escapes up to its closing quote. */
function textAt(bytes: Buffer, start: number, end: number): string | null {
  let at = start
  for (; at < end && bytes[at] !== QUOTE; at++) if (!isPlain(bytes[at]!)) return null
  return at === end ? null : bytes.toString('latin1', start, at)
}

/** Reads a number without an exponent. */
export function decimalAt(bytes: Buffer, start: number): number {
  const isNegative = bytes[start] === MINUS
  let digits = 0
  let value = 0
  let decimals = -1
  let at = isNegative ? start + 1 : start
  for (; ; at++) {
    const byte = bytes[at]!
    if (byte === POINT && decimals < 0) decimals = 0
    else if (isDigit(byte)) {
      value = value * 10 + byte - ZERO
      digits++
      if (decimals >= 0) decimals++
    } else break
  }
  if (digits === 0 || decimals === 0 || !endsValue(bytes[at])) return Number.NaN
  if (digits > MAX_EXACT_DIGITS) return Number(bytes.toString('latin1', start, at))
  const magnitude = decimals > 0 ? value / POWERS_OF_TEN[decimals]! : value
  return isNegative ? -magnitude : magnitude
}

/** Reads digits, or null. */
export function countAt(bytes: Buffer, start: number): number | null {
  if (bytes[start] === 0x6e) return null
  let count = 0
  let at = start
  for (; isDigit(bytes[at]!); at++) count = count * 10 + bytes[at]! - ZERO
  return at > start && at - start <= MAX_EXACT_DIGITS && endsValue(bytes[at]) ? count : Number.NaN
}

/**
 * Reads a time as `Date.toISOString` writes it, or without its milliseconds; other forms as
 * `Date.parse` does.
 */
export function timeAt(bytes: Buffer, start: number, end: number): number {
  const isInSeconds = bytes[start + TIME_IN_SECONDS.length] === QUOTE
  if (!hasForm(bytes, start, isInSeconds ? TIME_IN_SECONDS : TIME)) return Date.parse(textAt(bytes, start, end) ?? '')
  const year = twoDigits(bytes, start) * 100 + twoDigits(bytes, start + 2)
  const month = twoDigits(bytes, start + 5)
  const day = twoDigits(bytes, start + 8)
  const hour = twoDigits(bytes, start + 11)
  const minute = twoDigits(bytes, start + 14)
  const second = twoDigits(bytes, start + 17)
  const isCommon = month >= 1 && month <= 12 && day >= 1 && day <= MAX_DAY_OF_EVERY_MONTH
  if (!isCommon || hour > 23 || minute > 59 || second > 59) return Date.parse(textAt(bytes, start, end) ?? '')
  const millisecond = isInSeconds ? 0 : (bytes[start + 20]! - ZERO) * 100 + twoDigits(bytes, start + 21)
  return daysOf(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + millisecond
}

function hasForm(bytes: Buffer, start: number, form: string): boolean {
  for (let index = 0; index < form.length; index++) {
    const byte = bytes[start + index]!
    const wanted = form.charCodeAt(index)
    if (wanted === 0x64 ? !isDigit(byte) : byte !== wanted) return false
  }
  return bytes[start + form.length] === QUOTE
}

/**
 * Days since 1970 in the Gregorian calendar (Howard Hinnant, "chrono-Compatible Low-Level Date
 * Algorithms").
 */
function daysOf(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

function twoDigits(bytes: Buffer, at: number): number {
  return (bytes[at]! - ZERO) * 10 + bytes[at + 1]! - ZERO
}

function isPlain(byte: number): boolean {
  return byte !== BACKSLASH && byte < 0x80
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9
}

function endsValue(byte: number | undefined): boolean {
  return byte === COMMA || byte === END_OF_OBJECT
}
