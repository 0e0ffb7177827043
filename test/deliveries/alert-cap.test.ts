import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AlertCap, admitAlert, isOutdated, partsFor, partsOf } from '../../src/deliveries/alerts/alert-cap.ts'
import { SEVERITIES, type Severity } from '../../src/domain/taxonomy.ts'
import type { WatchEvent } from '../../src/domain/watch.ts'
import { anIncident } from '../support/incident.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-11-17T10:20:00Z')

/** As the store counts. */
function counts() {
  const counted = new Map<string, number>()
  let asked = 0
  return {
    get asked() {
      return asked
    },
    async countMail(subject: string, day: string, max: number) {
      asked++
      const before = counted.get(`${day} ${subject}`) ?? 0
      if (before >= max) return false
      counted.set(`${day} ${subject}`, before + 1)
      return true
    },
  }
}

async function admitted(cap: AlertCap, severity: Severity, tries: number, now = NOW): Promise<number> {
  let count = 0
  for (let index = 0; index < tries; index++) if ((await cap.admit(severity, now, () => 0.5)) === null) count++
  return count
}

describe('the cap of alerts', () => {
  it('has parts that are the cap together, for every cap', () => {
    for (const cap of [1, 2, 3, 7, 10, 99, 10_000]) {
      const parts = partsOf(cap)
      assert.equal(
        SEVERITIES.reduce((sum, severity) => sum + parts[severity], 0),
        cap,
      )
      assert.ok(parts.critical >= 1, `${cap}`)
    }
    assert.deepEqual(partsFor('high'), ['high', 'medium', 'low'])
  })

  it('leaves room for severe incidents however many others there are, and none above the cap', async () => {
    const cap = new AlertCap(counts(), 100)
    assert.equal(await admitted(cap, 'low', 500), 40)
    assert.equal(await admitted(cap, 'medium', 500), 20)
    assert.equal(await admitted(cap, 'high', 500), 20)
    assert.equal(await admitted(cap, 'critical', 500), 20)
  })

  it('gives all of it to critical ones if they come first', async () => {
    const cap = new AlertCap(counts(), 100)
    assert.equal(await admitted(cap, 'critical', 500), 100)
    assert.equal(await admitted(cap, 'low', 10), 0)
  })

  it('holds over several nodes, and begins anew with the next hour of the clock', async () => {
    const mails = counts()
    const nodes = [new AlertCap(mails, 10), new AlertCap(mails, 10)]
    const sent = await Promise.all(nodes.map((node) => admitted(node, 'critical', 50)))
    assert.equal(sent[0]! + sent[1]!, 10)
    const next = await nodes[0]!.admit('critical', NOW, () => 0.5)
    assert.equal(next, Date.parse('2026-11-17T11:01:00Z'))
    assert.equal(await admitted(nodes[0]!, 'critical', 50, NOW + HOUR), 10)
  })

  it('has all of the next hour, even if the database answered about this one only then', async () => {
    const mails = counts()
    const late = Promise.withResolvers<void>()
    let isLate = false
    const countMail = async (...counted: Parameters<typeof mails.countMail>) => {
      const isCounted = await mails.countMail(...counted)
      if (isLate && !isCounted) await late.promise
      return isCounted
    }
    const cap = new AlertCap({ countMail }, 10)
    assert.equal(await admitted(new AlertCap(mails, 10), 'critical', 10), 10)
    isLate = true
    const waiting = cap.admit('critical', NOW, () => 0)
    assert.equal(await cap.admit('critical', NOW + HOUR, () => 0), null)
    late.resolve()
    assert.equal(await waiting, Date.parse('2026-11-17T11:00:00Z'))
    assert.equal(await admitted(cap, 'critical', 50, NOW + HOUR), 9)
  })

  it('does not ask the database for each of the messages that wait', async () => {
    const mails = counts()
    await admitted(new AlertCap(mails, 10), 'low', 1000)
    assert.equal(mails.asked, 5)
  })
})

describe('a message of an alert', () => {
  const admission = (perHour: number, now: number) => {
    const cap = new AlertCap(counts(), perHour)
    return {
      admit: async (event: WatchEvent, document: string) =>
        isOutdated(document, event, now) ? 'outdated' : admitAlert(cap, document, now, () => 0),
    }
  }
  const updated = '2026-11-17T10:00:00Z'
  const document = JSON.stringify(anIncident(1, { updated_at: updated, severity: 'critical' }))

  it('is sent while it counts and there is room, and waits otherwise', async () => {
    const one = admission(1, NOW)
    assert.equal(await one.admit('incident.created', document), 'now')
    assert.equal(await one.admit('incident.updated', document), Date.parse('2026-11-17T11:00:00Z'))
  })

  it('is not sent any more once it has ended, unless it withdraws what was sent', async () => {
    const late = admission(9, NOW + 30 * HOUR)
    assert.equal(await late.admit('incident.created', document), 'outdated')
    assert.equal(await late.admit('incident.updated', document), 'outdated')
    assert.equal(await late.admit('incident.retracted', document), 'now')
  })
})
