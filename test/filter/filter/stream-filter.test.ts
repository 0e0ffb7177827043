import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FILTER_PARAMETER_NAMES } from '../../../src/filter/filter/parameters.ts'
import { parseListenFilter, parseStreamFilter } from '../../../src/filter/filter/stream-filter.ts'
import { LIVE_PARAMETER_NAMES } from '../../../src/filter/filter/watch-filter.ts'
import { PAGING_PARAMETERS } from '../../../src/filter/listing.ts'
import { places } from '../../../src/geo/places.ts'

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
  for (const name of [...alone, 'incident', ...Object.keys(PAGING_PARAMETERS)]) {
    const parsed = parse(`${name}=x&severity=awful`)
    assert.ok('errors' in parsed)
    assert.deepEqual(
      parsed.errors.map(({ parameter }) => parameter),
      [name, 'severity'],
    )
    assert.match(parsed.errors[0]!.message, /^is not allowed here: a stream .*; leave it out$/)
  }
})

test('who listens may name incidents, with commas or repeated; not more than a watch may', () => {
  const ids = Array.from({ length: 21 }, (_, number) => `inc_${'0'.repeat(24)}${number + 10}`)
  const listen = (query: string) => parseListenFilter(new URLSearchParams(query), [], places)
  const parsed = listen(`incident=${ids[1]},${ids[0]}&incident=${ids[1]}&state=Kaduna`)
  assert.deepEqual('value' in parsed && parsed.value.incidents, ids.slice(0, 2))
  for (const query of [`incident=${ids.join(',')}`, 'incident=inc_1', 'incident='])
    assert.ok('errors' in listen(query), query)
})
