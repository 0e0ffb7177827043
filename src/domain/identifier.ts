const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_CHARACTERS = 10
const RANDOM_BYTES = 16
export const SUFFIX_LENGTH = TIME_CHARACTERS + RANDOM_BYTES

export const PREFIXES = {
  incident: 'inc_',
  account: 'acc_',
  key: 'key_',
  session: 'ses_',
  passkey: 'pas_',
  watch: 'wat_',
  area: 'are_',
  siteList: 'sit_',
  delivery: 'msg_',
  request: 'req_',
  step: 'stp_',
  redaction: 'red_',
  place: 'plc_',
  source: 'src_',
  item: 'itm_',
  proposal: 'prp_',
  import: 'imp_',
} as const
export type Noun = keyof typeof PREFIXES

const PATTERN = /^[0-9a-hjkmnp-tv-z]{26}$/

/**
 * Creates a sortable, opaque identifier: 48 bits of time and 80 random bits in Crockford's base 32.
 * Only the low five bits of each of the 16 random bytes are used.
 */
export function newIdentifier(noun: Noun, now: number, randomBytes: (size: number) => Uint8Array): string {
  let time = ''
  for (let rest = now, place = 0; place < TIME_CHARACTERS; place++, rest = Math.floor(rest / 32)) {
    time = CROCKFORD[rest % 32] + time
  }
  let random = ''
  for (const byte of randomBytes(RANDOM_BYTES)) random += CROCKFORD[byte & 31]
  return PREFIXES[noun] + time + random
}

/** Derives it from the first 26 bytes of a hash, so that an imported row keeps its identifier. */
export function derivedIdentifier(noun: Noun, hash: Uint8Array): string {
  if (hash.length < SUFFIX_LENGTH) throw new RangeError(`a hash of ${hash.length} bytes is too short`)
  let suffix = ''
  for (const byte of hash.subarray(0, SUFFIX_LENGTH)) suffix += CROCKFORD[byte & 31]
  return PREFIXES[noun] + suffix
}

export function isIdentifier(noun: Noun, text: string): boolean {
  return text.startsWith(PREFIXES[noun]) && PATTERN.test(text.slice(PREFIXES[noun].length))
}
