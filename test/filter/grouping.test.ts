import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../src/domain/errors.ts'
import { GROUPS, parseGrouping } from '../../src/filter/grouping.ts'
import { places } from '../../src/geo/places.ts'

const parse = (query: string) => parseGrouping(new URLSearchParams(query), places)

test('one or two groups are accepted, with the filters of the list', () => {
  const { groups, filter } = parse('group_by=state, month&severity=high')
  assert.deepEqual([groups, filter.severities], [['state', 'month'], ['high']])
  assert.deepEqual(parse('group_by=state&group_by=month').groups, ['state', 'month'])
  for (const group of GROUPS) assert.deepEqual(parse(`group_by=${group}`).groups, [group])
})

const WRONG = {
  '': /group_by is missing/,
  'group_by=': /group_by is empty/,
  'group_by=state&group_by=lga&group_by=type': /takes one or two groups, not 3/,
  'group_by=stat': /"stat" is not a group to count by/,
  'group_by=state,': /"" is not a group to count by/,
  'group_by=state,type,severity': /takes one or two groups, not 3/,
  'group_by=state,state': /names state twice/,
  'group_by=month,day': /takes one unit of time, not both month and day/,
  'group_by=state&limit=5': /limit is not a parameter here/,
  'group_by=stat&state=Kadunna': /"Kadunna" is not a state of Nigeria; group_by "stat"/,
}

for (const [query, message] of Object.entries(WRONG)) {
  test(`?${query} is rejected: ${message.source}`, () => {
    assert.throws(
      () => parse(query),
      (error) => error instanceof Problem && error.code === 'invalid_parameter' && message.test(error.message),
    )
  })
}
