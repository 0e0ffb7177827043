import assert from 'node:assert/strict'
import { test } from 'node:test'
import { places } from '../../../src/geo/places.ts'
import { FILTER_PARAMETER_NAMES } from '../../../src/query/filter/parameters.ts'
import { parseStreamFilter } from '../../../src/query/filter/stream-filter.ts'
import { LIVE_PARAMETER_NAMES } from '../../../src/query/filter/watch-filter.ts'
import { PAGING_PARAMETERS } from '../../../src/query/listing.ts'

const parse = (query: string) => parseStreamFilter(new URLSearchParams(query), ['last_event_id'], places)

test('the filter of a stream is parsed like that of a list', () => {
  const parsed = parse('state=kaduna&category=abduction&last_event_id=7')
  assert.ok('value' in parsed)
  assert.deepEqual(parsed.value.states, ['NG-KD'])
  assert.ok(parsed.value.types!.includes('kidnapping'))
  assert.equal(parsed.value.since, null)
})

test('parameters of lists are rejected with the reason, together with all other errors', () => {
  const alone = FILTER_PARAMETER_NAMES.filter((name) => !(LIVE_PARAMETER_NAMES as string[]).includes(name))
  for (const name of [...alone, ...Object.keys(PAGING_PARAMETERS)]) {
    const parsed = parse(`${name}=x&severity=awful`)
    assert.ok('errors' in parsed)
    assert.deepEqual(
      parsed.errors.map(({ parameter }) => parameter),
      [name, 'severity'],
    )
    assert.match(parsed.errors[0]!.message, /^is not allowed here: a stream .*; leave it out$/)
  }
})
