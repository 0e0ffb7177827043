import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { requireFilter } from '../../src/api/watches/request.ts'
import { EarlierVersions, earlierVersions } from '../../src/deliveries/earlier-versions.ts'
import { explain } from '../../src/deliveries/explain.ts'
import type { EventKind, Incident } from '../../src/domain/incident.ts'
import type { Severity } from '../../src/domain/taxonomy.ts'
import type { Watch, WatchEvent } from '../../src/domain/watch.ts'
import { indexedFieldsOf } from '../../src/filter/filter.ts'
import { places } from '../../src/geo/places.ts'
import type { LoggedVersion, Store } from '../../src/store/store.ts'
import { aKey, anAccount, aWatch, NOW } from '../store/fixtures.ts'
import { openMemoryStore } from '../support/databases/stores.ts'
import { anIncident } from '../support/incident.ts'
import { followingTests } from './following.ts'

const EVENTS: readonly WatchEvent[] = ['incident.created', 'incident.updated', 'incident.retracted']

/** Without a service, so that nothing is fanned out unless a test does it. */
describe('why a watch was told, or not', () => {
  let store: Store
  let numbers = 0
  before(async () => {
    store = await openMemoryStore()
    await store.accounts.open(anAccount(1), aKey(1))
  })
  after(() => store[Symbol.asyncDispose]())

  async function watching(filter: object, events = EVENTS): Promise<Watch> {
    const added = await store.watches.add(
      aWatch(++numbers, { events, filter: { given: JSON.stringify(filter), canonical: JSON.stringify(filter) } }),
      1000,
    )
    assert.ok(typeof added === 'object')
    return added
  }
  const save = async (incident: Incident, event: EventKind) => {
    await store.incidents.save([{ incident, event }], NOW)
    return incident
  }
  const published = (changes: Partial<Incident> = {}) =>
    save(anIncident(++numbers, { type: 'kidnapping', ...changes }), 'incident.created')
  const explained = async (watch: Watch, { id }: Incident) => {
    const filter = requireFilter(JSON.parse(watch.filter.canonical), places)
    return (await explain(watch, filter, id, store))!
  }
  const outcomes = async (watch: Watch, incident: Incident) =>
    (await explained(watch, incident)).events.map(({ event, outcome }) => [event.kind.slice(9), outcome])
  /** The fan-out passes everything so far, and writes nothing. */
  const passEvents = async () => {
    const from = (await store.fanOut.lease('node', NOW, NOW + 1000))!
    const { seq } = await store.events.head()
    await store.fanOut.write('node', { from, to: { seq, afterWatchId: null }, deliveries: [] }, NOW, null)
    await store.fanOut.release('node')
  }

  it('is on its way until the fan-out has passed the event, and missed afterwards', async () => {
    const watch = await watching({})
    const incident = await published()
    assert.deepEqual(await outcomes(watch, incident), [['created', 'pending']])
    await passEvents()
    assert.deepEqual(await outcomes(watch, incident), [['created', 'missed']])
  })

  it('counts every version before a correction or a retraction', async () => {
    const watch = await watching({ type: ['kidnapping'] })
    const corrected = await published()
    await save({ ...corrected, version: 2, type: 'protest' }, 'incident.updated')
    await save({ ...corrected, version: 3, type: 'protest', severity: 'low' }, 'incident.updated')
    const retracted = await published()
    await save({ ...retracted, version: 2, type: 'protest', status: 'retracted' }, 'incident.retracted')
    await passEvents()
    assert.deepEqual(await outcomes(watch, corrected), [
      ['created', 'missed'],
      ['updated', 'missed'],
      ['updated', 'missed'],
    ])
    assert.deepEqual(await outcomes(watch, retracted), [
      ['created', 'missed'],
      ['retracted', 'missed'],
    ])
  })

  it('needs every condition, and says first what rules the event out whatever the filter says', async () => {
    const watch = await watching({ type: ['kidnapping'], severity: ['critical'] }, ['incident.updated'])
    const incident = await published({ severity: 'low' })
    const { matches, conditions } = await explained(watch, incident)
    assert.equal(matches, false)
    assert.deepEqual(conditions.map(({ holds }) => holds).toSorted(), [false, true])
    assert.deepEqual(await outcomes(watch, incident), [['created', 'not_listed']])
  })

  it('does not count what was imported as an event', async () => {
    const watch = await watching({})
    const imported = await save(anIncident(++numbers), 'incident.imported')
    const { events, matches, verdict } = await explained(watch, imported)
    assert.deepEqual([events, matches], [[], true])
    assert.match(verdict, /was imported; history is not sent/)
  })

  it('shows the newest 50 events of an incident', async () => {
    const watch = await watching({})
    const incident = await published()
    for (let version = 2; version <= 53; version++) await save({ ...incident, version }, 'incident.updated')
    const { events } = await explained(watch, incident)
    const { seq } = await store.events.head()
    assert.deepEqual([events.length, events.at(-1)!.event.seq, events[0]!.event.seq], [50, seq, seq - 49])
  })

  it('shows the delivery of this watch, not that of another', async () => {
    const watch = await watching({})
    const other = await watching({})
    const incident = await published()
    const { seq } = await store.events.head()
    const delivery = { eventSeq: seq, kind: 'incident.created', critical: false } as const
    await store.deliveries.add([{ id: 'msg_other', watchId: other.id, ...delivery }], NOW)
    await passEvents()
    assert.deepEqual(await outcomes(watch, incident), [['created', 'missed']])
    assert.deepEqual((await explained(other, incident)).events[0]!.delivery, { id: 'msg_other', status: 'pending' })
  })
})

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
