import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalAddress } from '../../../src/domain/same-story.ts'

const SAME: readonly (readonly [address: string, canonical: string | null])[] = [
  ['https://example.org/a', 'https://example.org/a'],
  ['http://www.example.org/a/', 'https://example.org/a'],
  ['https://m.example.org/a?utm_source=x&utm_medium=y#top', 'https://example.org/a'],
  ['https://Example.org:443/a/amp/', 'https://example.org/a'],
  ['https://example.org//a?b=2&a=1&fbclid=z', 'https://example.org/a?a=1&b=2'],
  ['https://example.org/?p=17', 'https://example.org?p=17'],
  ['https://example.org:8443/a', 'https://example.org:8443/a'],
  ['https://example.org/A', 'https://example.org/A'],
  ['ftp://example.org/a', null],
  ['no address', null],
  [`https://example.org/${'a'.repeat(3000)}`, null],
]

for (const [address, canonical] of SAME)
  test(`${address.slice(0, 80)} is ${canonical}`, () => assert.equal(canonicalAddress(address), canonical))
