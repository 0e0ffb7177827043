import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../../src/domain/errors.ts'
import type { Places } from '../../../src/domain/places.ts'
import { FILTER_PARAMETER_NAMES } from '../../../src/filter/filter/parameters.ts'
import { parseFilter } from '../../../src/filter/filter/parse.ts'
import { parametersInQuery } from '../../../src/filter/filter/parsers/input.ts'
import { parseStreamFilter } from '../../../src/filter/filter/stream-filter.ts'
import { parseWatchFilter } from '../../../src/filter/filter/watch-filter.ts'
import { parseGrouping } from '../../../src/filter/grouping.ts'
import { parseListing } from '../../../src/filter/listing.ts'
import { places } from '../../../src/geo/places.ts'

const names = (count: number) => Array.from({ length: count }, (_, number) => `unknown ${number}`)

const refusal = (parse: () => unknown): Problem => {
  try {
    parse()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('it was accepted')
}

const LONG: Record<string, () => unknown> = {
  'with commas': () => parseListing(new URLSearchParams({ lga: names(101).join(',') }), places),
  repeated: () => parseListing(new URLSearchParams(names(101).map((name) => ['lga', name])), places),
  'of a stream': () => parseStreamFilter(new URLSearchParams({ lga: names(2000).join(',') }), [], places),
  'of statistics': () => parseGrouping(new URLSearchParams({ group_by: 'state', lga: names(101).join() }), places),
}
for (const [kind, parse] of Object.entries(LONG)) {
  test(`a list of more than 100 values ${kind} is refused, with its name and the maximum`, () => {
    const { code, errors } = refusal(parse)
    assert.equal(code, 'too_many_values')
    assert.deepEqual(errors, [{ parameter: 'lga', message: 'takes at most 100 values in one request' }])
  })
}

for (const list of [names(101), names(101).join(',')]) {
  test(`a JSON ${typeof list === 'string' ? 'text' : 'array'} of more than 100 values is refused, with a pointer`, () => {
    const { code, errors } = refusal(() => parseWatchFilter({ lga: list }, '/filter', places))
    assert.equal(code, 'too_many_values')
    assert.deepEqual(errors, [{ pointer: '/filter/lga', message: 'takes at most 100 values in one request' }])
  })
}

test('100 values are accepted', () => {
  const lgas = places.lgas.slice(0, 100).map(({ code }) => code)
  const { filter } = parseListing(new URLSearchParams({ lga: lgas.join(',') }), places)
  assert.equal(filter.lgas?.length, 100)
})

test('similar names are searched for the first 5 wrong names of a request only', () => {
  let searches = 0
  const counting: Places = {
    ...places,
    findLga: () => ({
      kind: 'unknown',
      get suggestions() {
        searches++
        return ['Chikun']
      },
    }),
  }
  const query = new URLSearchParams({ lga: names(100).join(',') })
  const parsed = parseFilter(parametersInQuery(query, FILTER_PARAMETER_NAMES), counting)
  assert.ok('errors' in parsed)
  assert.equal(parsed.errors.length, 100)
  assert.deepEqual(
    parsed.errors.map(({ did_you_mean }) => did_you_mean !== undefined),
    Array.from({ length: 100 }, (_, index) => index < 5),
  )
  assert.equal(searches, 5)
})

test('of thousands of parameters that do not exist, 20 are named, 5 with hints', () => {
  const query = new URLSearchParams(names(3000).map((name) => [name, '1']))
  const { errors } = refusal(() => parseListing(query, places))
  assert.equal(errors.length, 20)
  assert.equal(errors.filter(({ allowed, did_you_mean }) => allowed ?? did_you_mean).length, 5)
})
