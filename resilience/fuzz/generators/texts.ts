import { between, pick, type Random } from '../../../src/lib/random.ts'

/** Texts that have broken something somewhere, and texts that nearly mean something. */
const AWKWARD = [
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

/** Anything that may be written. */
export function anyText(random: Random): string {
  const chance = random()
  if (chance < 0.6) return pick(random, AWKWARD)
  if (chance < 0.8) return randomText(random, between(random, 1, 30))
  if (chance < 0.9) return String((random() - 0.5) * 10 ** between(random, -5, 25))
  return new Date(between(random, -70_000_000_000_000, 260_000_000_000_000)).toISOString()
}

/** Code units of every kind, halves of pairs among them. */
function randomText(random: Random, length: number): string {
  const most = pick(random, [0x7f, 0xff, 0x2fff, 0xffff])
  return String.fromCharCode(...Array.from({ length }, () => between(random, 0, most)))
}

/** A text that is right, with something about it changed. */
export function nearly(random: Random, text: string): string {
  const at = between(random, 0, text.length)
  switch (between(random, 0, 7)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1)
    case 1:
      return text.slice(0, at) + pick(random, [' ', ',', '.', '-', '0', '9', '%', '\u0000', 'é', '"']) + text.slice(at)
    case 2:
      return text.replace(/\d+(\.\d+)?/, (number) => anyNumber(random, Number(number)))
    case 3:
      return `${text},${text}`
    case 4:
      return text.toUpperCase()
    case 5:
      return ` ${text} `
    case 6:
      return text + anyText(random)
    default:
      return text.repeat(between(random, 2, 200))
  }
}

function anyNumber(random: Random, near: number): string {
  return pick(random, [near + 1, near - 1, -near, 0, near * 1e6, near + 0.5, 2 ** 31, 2 ** 53, -(2 ** 63)].map(String))
}
