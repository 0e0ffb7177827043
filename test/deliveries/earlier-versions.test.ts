import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EarlierVersions, earlierVersions } from '../../src/deliveries/earlier-versions.ts'
import type { Severity } from '../../src/domain/taxonomy.ts'
import { indexedFieldsOf } from '../../src/filter/filter.ts'
import type { LoggedVersion } from '../../src/store/store.ts'
import { openMemoryStore } from '../support/databases/memory-store.ts'
import { anIncident } from '../support/incident.ts'
import { followingTests } from './following.ts'

/** A log of one incident with these severities, at the events 10, 20, 30 …; counts what is read. */
function logOf(severities: readonly Severity[]) {
  const incidents = severities.map((severity, index) => anIncident(1, { severity, version: index + 1 }))
  const versions: LoggedVersion[] = incidents.map((each, index) => ({
    seq: (index + 1) * 10,
    document: JSON.stringify(each),
  }))
  const log = {
    read: 0,
    async versionsBefore(_id: string, seq: number, limit: number) {
      const page = versions
        .filter((each) => each.seq < seq)
        .reverse()
        .slice(0, limit)
      log.read += page.length
      return page
    },
  }
  const earlier = new EarlierVersions(log)
  const before = async (version: number) => {
    const fields = indexedFieldsOf(incidents[version - 1]!)
    const found = await earlier.fieldsBefore({ incidentId: 'inc_1', seq: version * 10 }, fields)
    return found.map(({ severity }) => severity).sort()
  }
  return { log, before }
}

describe('the earlier versions of an incident', () => {
  it('are each returned once, without what the event itself repeats', async () => {
    const { before } = logOf(['low', 'high', 'low', 'critical', 'high'])
    assert.deepEqual(await before(1), [])
    assert.deepEqual(await before(2), ['low'])
    assert.deepEqual(await before(5), ['critical', 'low'])
  })

  it('are read once, however often the incident is corrected', async () => {
    const { log, before } = logOf(Array.from({ length: 200 }, (_, index) => (index === 0 ? 'critical' : 'low')))
    for (let version = 2; version <= 200; version++) assert.deepEqual(await before(version), ['critical'])
    assert.ok(log.read <= 200 * 2, `${log.read} were read`)
    const read = log.read
    assert.deepEqual(await before(200), ['critical'], 'the same event again')
    assert.equal(log.read - read, 199)
  })

  it('are only those before the event, also after later ones were seen', async () => {
    const { before } = logOf(['low', 'medium', 'high', 'critical'])
    assert.deepEqual(await before(4), ['high', 'low', 'medium'])
    assert.deepEqual(await before(2), ['low'])
  })

  it('are found beyond a page', async () => {
    const { log } = logOf(Array.from({ length: 120 }, () => 'low'))
    let count = 0
    for await (const _ of earlierVersions({ incidentId: 'inc_1', seq: 9999 }, log)) count++
    assert.equal(count, 120)
  })
})

describe('following an incident, with SQLite', () => followingTests(() => openMemoryStore()))
