import { foldedWords } from '../lib/text.ts'

/** Parameters that say where a reader came from, not what is read. */
const TRACKING = /^(utm_.+|fbclid|gclid|dclid|msclkid|igshid|mc_[ce]id|_ga|ref|ref_src|amp|cmpid|ncid|sr_share|spm)$/i
const MAX_LENGTH = 2048

/**
 * One address for all its spellings: https, no `www.` or `m.`, no tracking parameters, no fragment,
 * no trailing slash. Null if the text is no web address. Only for comparing, not for opening.
 */
export function canonicalAddress(text: string): string | null {
  if (text.length > MAX_LENGTH || !URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  const host = url.hostname.replace(/^(www|m|amp)\.(?=.+\.)/, '').replace(/\.$/, '')
  const port = url.port === '' || url.port === '80' || url.port === '443' ? '' : `:${url.port}`
  const parameters = [...url.searchParams].filter(([name]) => !TRACKING.test(name)).sort(byNameAndValue)
  const query = new URLSearchParams(parameters).toString()
  const path = url.pathname.replace(/\/{2,}/g, '/').replace(/\/(amp\/?)?$/, '')
  return `https://${host}${port}${path}${query === '' ? '' : `?${query}`}`
}

function byNameAndValue(one: [string, string], other: [string, string]): number {
  return compare(one[0], other[0]) || compare(one[1], other[1])
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/**
 * MinHash: the smallest hash of all three-word sequences, under 60 different hash functions. Two
 * texts have as many equal numbers as they share sequences. Twelve bands of five numbers are
 * looked up in an index: texts that share 85 % of their sequences meet in one of them in 99.9 % of
 * cases.
 */
type Fingerprint = Uint32Array

const HASHES = 60
const ROWS_PER_BAND = 5
const WORDS_PER_SEQUENCE = 3
/** Below, two texts are alike by chance: "Gunmen kill five in Zamfara". */
const MIN_WORDS = 20
const MAX_WORDS = 2000
/** Share of equal sequences from which one text is a copy of the other. */
export const NEAR_IDENTICAL = 0.85

const MULTIPLIERS = Uint32Array.from({ length: HASHES }, (_, index) => mix(index * 2 + 1) | 1)
const ADDENDS = Uint32Array.from({ length: HASHES }, (_, index) => mix(index * 2 + 2))

/** Null for a text too short to be told from others by its words. */
export function fingerprintOf(text: string): Fingerprint | null {
  const words = foldedWords(text).slice(0, MAX_WORDS)
  if (words.length < MIN_WORDS) return null
  const smallest = new Uint32Array(HASHES).fill(0xffffffff)
  for (let start = 0; start + WORDS_PER_SEQUENCE <= words.length; start++) {
    const hash = hashOf(words.slice(start, start + WORDS_PER_SEQUENCE).join(' '))
    for (let index = 0; index < HASHES; index++) {
      const value = mix(Math.imul(hash, MULTIPLIERS[index]!) + ADDENDS[index]!)
      if (value < smallest[index]!) smallest[index] = value
    }
  }
  return smallest
}

/** Keys of the index: the number of the band, then its hash. */
export function bandsOf(fingerprint: Fingerprint): number[] {
  const bands: number[] = []
  for (let start = 0; start < HASHES; start += ROWS_PER_BAND) {
    let hash = 0x811c9dc5
    for (const value of fingerprint.subarray(start, start + ROWS_PER_BAND)) hash = mix(hash ^ value)
    bands.push((start / ROWS_PER_BAND) * 2 ** 32 + hash)
  }
  return bands
}

/** The share of sequences that two texts have in common, from 0 to 1. */
export function similarityOf(one: Fingerprint, other: Fingerprint): number {
  let equal = 0
  for (let index = 0; index < HASHES; index++) if (one[index] === other[index]) equal++
  return equal / HASHES
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/** The finalizer of MurmurHash3. */
function mix(value: number): number {
  let hash = value >>> 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
