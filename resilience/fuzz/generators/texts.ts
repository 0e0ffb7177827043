import fc from 'fast-check'
import { listOf, mostly } from './chance.ts'

/** Texts that have broken other software, and texts that are almost valid values. */
const HOSTILE_TEXTS = [
  '',
  ' ',
  '\t\n',
  '%',
  '%00',
  '%ff',
  '%c0%af',
  '%u0041',
  '\u0000',
  'a\u0000b',
  '\u0001\u001f\u007f\u0085',
  '\ud800',
  'a\udfffb',
  '\ufeff',
  '\uffff',
  '\u202e',
  '💥',
  'ẹ̀kọ́',
  'ﷺ'.repeat(18),
  'Z̸̧̛͚͈͎̆͑a̶l̷g̸o̴',
  'ß',
  'İ',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'true',
  'NaN',
  'Infinity',
  '-0',
  '0',
  '-1',
  '1e309',
  '1e-400',
  '0x10',
  '9007199254740993',
  '18446744073709551616',
  '99999999999999999999999999999999999999',
  '1,5',
  '٣',
  '../../etc/passwd',
  "' OR 1=1 --",
  '";DROP TABLE incidents;--',
  '<script>alert(1)</script>',
  ']]>&lt;',
  '=1+1',
  '*',
  '"',
  '\\',
  '{}',
  '[]',
  ',',
  ',,,,',
  'a,b,c,d',
  '99999999w',
  '0m',
  '24h',
  '1969-12-31T23:59:59Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:60Z',
  '2026-02-30',
  '2026-06-31T24:00:00+14:00',
  '-000001-01-01',
  '180,90,-180,-90',
  '-180,-90,180,90',
  '90,180',
  'x'.repeat(201),
  'x'.repeat(3000),
  'é'.repeat(1500),
] as const

/** Any UTF-16 code units below a limit, unpaired surrogates included. */
const randomText = fc.oneof(
  ...[0x7f, 0xff, 0x2fff, 0xffff].map((max) =>
    listOf(fc.integer({ min: 0, max }), 1, 30).map((units) => String.fromCharCode(...units)),
  ),
)
const numberText = fc
  .tuple(fc.double({ min: -0.5, max: 0.5, noNaN: true }), fc.integer({ min: -5, max: 25 }))
  .map(([fraction, exponent]) => String(fraction * 10 ** exponent))
const dateText = fc
  .integer({ min: -70_000_000_000_000, max: 260_000_000_000_000 })
  .map((time) => new Date(time).toISOString())

export const anyText: fc.Arbitrary<string> = mostly<string>(
  fc.constantFrom(...HOSTILE_TEXTS),
  [0.2, randomText],
  [0.1, numberText],
  [0.1, dateText],
)

const insertedCharacter = fc.constantFrom(' ', ',', '.', '-', '0', '9', '%', '\u0000', 'é', '"')
const replacedNumber = fc.constantFrom<(near: number) => number>(
  (near) => near + 1,
  (near) => near - 1,
  (near) => -near,
  () => 0,
  (near) => near * 1e6,
  (near) => near + 0.5,
  () => 2 ** 31,
  () => 2 ** 53,
  () => -(2 ** 63),
)

type ChangeAt = (text: string, at: number) => string

const changeAt: fc.Arbitrary<ChangeAt> = fc.oneof(
  fc.constant<ChangeAt>((text, at) => text.slice(0, at) + text.slice(at + 1)),
  insertedCharacter.map(
    (character): ChangeAt =>
      (text, at) =>
        text.slice(0, at) + character + text.slice(at),
  ),
  replacedNumber.map(
    (replace): ChangeAt =>
      (text) =>
        text.replace(/\d+(\.\d+)?/, (number) => String(replace(Number(number)))),
  ),
  fc.constant<ChangeAt>((text) => `${text},${text}`),
  fc.constant<ChangeAt>((text) => text.toUpperCase()),
  fc.constant<ChangeAt>((text) => ` ${text} `),
  anyText.map(
    (suffix): ChangeAt =>
      (text) =>
        text + suffix,
  ),
  fc.integer({ min: 2, max: 200 }).map(
    (count): ChangeAt =>
      (text) =>
        text.repeat(count),
  ),
)

/** A change that turns a valid text into one that is almost valid. */
export const mutation: fc.Arbitrary<(text: string) => string> = fc.tuple(changeAt, fc.nat(9999)).map(
  ([change, position]) =>
    (text: string) =>
      change(text, position % (text.length + 1)),
)

/** Valid texts with one change each. */
export function mutated(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(texts, mutation).map(([text, mutate]) => mutate(text))
}
