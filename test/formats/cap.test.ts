import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Incident } from '../../src/domain/incident.ts'
import { SYNTHETIC_PREFIX } from '../../src/domain/summary.ts'
import { CATEGORY_NAMES, SEVERITIES, typesIn } from '../../src/domain/taxonomy.ts'
import { capMessage } from '../../src/formats/cap.ts'
import { anIncident, awkwardIncidents } from '../support/incident.ts'
import { childNamed, type Element, parseXml } from '../support/readers.ts'
import { capFaults } from './cap-rules.ts'

const URL = 'https://feed.example.org'
const message = (incident: Incident) => parseXml(capMessage(incident, URL))
const inAlert = (alert: Element, name: string) => childNamed(alert, name).text
const inInfo = (alert: Element, name: string) => childNamed(childNamed(alert, 'info'), name).text

const corrected = (changes: Partial<Incident> = {}) =>
  anIncident(1, { version: 3, updated_at: '2026-02-01T08:00:00Z', summary: 'Corrected.', ...changes })

test('every kind of message keeps to CAP 1.2', () => {
  const incidents = [
    ...awkwardIncidents(),
    ...CATEGORY_NAMES.map((category) => anIncident(1, { type: typesIn(category)[0]!, category })),
    ...SEVERITIES.map((severity) => anIncident(1, { severity })),
    ...[0, 0.2, 0.5, 0.8, 1].map((confidence) => anIncident(1, { confidence })),
    anIncident(1, { lga: null, location: { ...anIncident().location, place: null, lga_code: null, radius_km: null } }),
    anIncident(1, { confirmed_at: null }),
    corrected(),
    corrected({ status: 'retracted' }),
  ]
  for (const incident of incidents) assert.deepEqual(capFaults(message(incident)), [], incident.summary)
})

test('the rules notice a message that does not', () => {
  const good = capMessage(anIncident(1), URL)
  for (const [from, to, fault] of [
    ['<severity>Severe', '<severity>Bad', /severity is Bad/],
    ['-00:00</sent>', 'Z</sent>', /sent is/],
    ['<scope>Public</scope>', '', /alert has no scope/],
    ['<msgType>Alert', '<msgType>Update', /Update without references/],
    ['<language>en-NG</language>', '', /./],
  ] as const) {
    const faults = capFaults(parseXml(good.replace(from, to)))
    if (from.startsWith('<language>')) assert.deepEqual(faults, [], 'it is optional')
    else assert.match(faults.join(), fault)
  }
  const swapped = good.replace(/(<status>.*?<\/status>)(<msgType>.*?<\/msgType>)/, '$2$1')
  assert.match(capFaults(parseXml(swapped)).join(), /status stands too late/)
})

test('a new incident is an alert, a corrected one an update of it, a retracted one cancels it', () => {
  const alert = message(anIncident(1))
  assert.equal(inAlert(alert, 'msgType'), 'Alert')
  const first = ['identifier', 'sent'].map((name) => inAlert(alert, name)).join(',')
  for (const [incident, kind] of [
    [corrected(), 'Update'],
    [corrected({ status: 'retracted' }), 'Cancel'],
  ] as const) {
    const later = message(incident)
    assert.equal(inAlert(later, 'msgType'), kind)
    assert.equal(inAlert(later, 'references'), `feed.example.org,${first}`)
    assert.notEqual(inAlert(later, 'identifier'), inAlert(alert, 'identifier'))
    assert.equal(inAlert(later, 'sent'), '2026-02-01T08:00:00-00:00')
  }
})

test('a version above 1 that nobody saw before is still the first message', () => {
  assert.equal(inAlert(message(anIncident(1, { version: 2 })), 'msgType'), 'Alert')
})

test('a made-up incident is a test, never an actual alert', () => {
  const summary = `${SYNTHETIC_PREFIX}Gunmen abducted two people.`
  for (const incident of [anIncident(1, { summary }), corrected({ summary, status: 'retracted' })])
    assert.equal(inAlert(message(incident), 'status'), 'Test')
  assert.equal(inAlert(message(anIncident(1)), 'status'), 'Actual')
})

test('a cancellation tells nothing of what was retracted', () => {
  const text = capMessage(corrected({ status: 'retracted' }), URL)
  assert.doesNotMatch(text, /info|Corrected|Kaduna|10\.45/)
})

test('severity, certainty, urgency and area come from ours', () => {
  const incident = anIncident(1, {
    severity: 'critical',
    confidence: 0.5,
    occurred_at: '2026-01-01T00:00:00Z',
    published_at: '2026-01-01T12:00:00Z',
  })
  const alert = message(incident)
  assert.deepEqual(
    ['event', 'severity', 'certainty', 'urgency', 'headline'].map((name) => inInfo(alert, name)),
    ['Kidnapping', 'Extreme', 'Likely', 'Expected', 'Kidnapping in Chikun, Kaduna'],
  )
  const area = childNamed(childNamed(alert, 'info'), 'area')
  assert.deepEqual(
    [inAlert(area, 'areaDesc'), inAlert(area, 'circle')],
    ['Gonin Gora, Chikun, Kaduna', '10.4512,7.3391 3'],
  )
})

test('a summary survives as text, whatever is in it', () => {
  for (const incident of awkwardIncidents()) assert.equal(inInfo(message(incident), 'description'), incident.summary)
  const control = message(anIncident(1, { summary: 'a\u0000\u001bb' }))
  assert.equal(inInfo(control, 'description'), 'a\ufffd\ufffdb')
})
