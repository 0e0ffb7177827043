import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Incident } from '../../src/domain/incident.ts'
import { SYNTHETIC_PREFIX } from '../../src/domain/summary.ts'
import { CATEGORY_NAMES, SEVERITIES, typesIn } from '../../src/domain/taxonomy.ts'
import { capMessage } from '../../src/formats/cap.ts'
import { anIncident, awkwardIncidents } from '../support/incident.ts'
import { childNamed, type Element, parseXml } from '../support/readers.ts'

/** Allowed occurrences of an element: once, at most once, any number, at least once. */
type Times = '1' | '?' | '*' | '+'
type Rule = readonly [name: string, times: Times, content?: RegExp | readonly string[] | readonly Rule[]]

const ID = /^[^\s,<&]+$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[-+]\d\d:\d\d$/
const ANY_TEXT = /./
const PAIR: readonly Rule[] = [
  ['valueName', '1', ANY_TEXT],
  ['value', '1', ANY_TEXT],
]
const POINT = String.raw`-?\d+(\.\d+)?,-?\d+(\.\d+)?`

const AREA: readonly Rule[] = [
  ['areaDesc', '1', ANY_TEXT],
  ['polygon', '*', new RegExp(`^(${POINT} ){3,}${POINT}$`)],
  ['circle', '*', new RegExp(`^${POINT} \\d+(\\.\\d+)?$`)],
  ['geocode', '*', PAIR],
  ['altitude', '?', /^-?\d+(\.\d+)?$/],
  ['ceiling', '?', /^-?\d+(\.\d+)?$/],
]

const CATEGORIES = [
  'Geo',
  'Met',
  'Safety',
  'Security',
  'Rescue',
  'Fire',
  'Health',
  'Env',
  'Transport',
  'Infra',
  'CBRNE',
  'Other',
]
const RESPONSES = ['Shelter', 'Evacuate', 'Prepare', 'Execute', 'Avoid', 'Monitor', 'Assess', 'AllClear', 'None']

const INFO: readonly Rule[] = [
  ['language', '?', /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/],
  ['category', '+', CATEGORIES],
  ['event', '1', ANY_TEXT],
  ['responseType', '*', RESPONSES],
  ['urgency', '1', ['Immediate', 'Expected', 'Future', 'Past', 'Unknown']],
  ['severity', '1', ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown']],
  ['certainty', '1', ['Observed', 'Likely', 'Possible', 'Unlikely', 'Unknown']],
  ['audience', '?'],
  ['eventCode', '*', PAIR],
  ['effective', '?', TIME],
  ['onset', '?', TIME],
  ['expires', '?', TIME],
  ['senderName', '?'],
  ['headline', '?'],
  ['description', '?'],
  ['instruction', '?'],
  ['web', '?', /^https?:\/\/\S+$/],
  ['contact', '?'],
  ['parameter', '*', PAIR],
  ['area', '*', AREA],
]

/**
 * The elements of an alert, in the order of the OASIS standard's schema, with what may stand in
 * them.
 */
const ALERT: readonly Rule[] = [
  ['identifier', '1', ID],
  ['sender', '1', ID],
  ['sent', '1', TIME],
  ['status', '1', ['Actual', 'Exercise', 'System', 'Test', 'Draft']],
  ['msgType', '1', ['Alert', 'Update', 'Cancel', 'Ack', 'Error']],
  ['source', '?'],
  ['scope', '1', ['Public', 'Restricted', 'Private']],
  ['restriction', '?'],
  ['addresses', '?'],
  ['code', '*'],
  ['note', '?'],
  ['references', '?', /^[^\s,<&]+,[^\s,<&]+,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[-+]\d\d:\d\d( .+)?$/],
  ['incidents', '?'],
  ['info', '*', INFO],
]

/** Every breach of CAP 1.2, in words. */
function capFaults(alert: Element): string[] {
  const faults: string[] = []
  if (alert.name !== 'alert' || alert.namespace !== 'urn:oasis:names:tc:emergency:cap:1.2')
    faults.push('no CAP 1.2 alert')
  check(alert, ALERT, faults)
  const kind = alert.children.find(({ name }) => name === 'msgType')?.text
  const refers = alert.children.some(({ name }) => name === 'references')
  if ((kind === 'Update' || kind === 'Cancel') && !refers) faults.push(`${kind} without references`)
  return faults
}

function check(element: Element, rules: readonly Rule[], faults: string[]): void {
  const places = element.children.map(({ name }) => rules.findIndex(([rule]) => rule === name))
  for (const [index, place] of places.entries()) {
    const child = element.children[index]!
    if (place === -1) faults.push(`${child.name} does not belong into ${element.name}`)
    else if (index > 0 && place < places[index - 1]!) faults.push(`${child.name} stands too late in ${element.name}`)
    else checkContent(child, rules[place]![2], faults)
  }
  for (const [place, [name, times]] of rules.entries()) {
    const count = places.filter((one) => one === place).length
    if (count === 0 && (times === '1' || times === '+')) faults.push(`${element.name} has no ${name}`)
    if (count > 1 && (times === '1' || times === '?')) faults.push(`${element.name} has ${count} of ${name}`)
  }
}

function checkContent(child: Element, content: Rule[2], faults: string[]): void {
  if (content === undefined) return
  if (content instanceof RegExp) {
    if (!content.test(child.text)) faults.push(`${child.name} is ${JSON.stringify(child.text)}`)
  } else if (isRules(content)) check(child, content, faults)
  else if (!content.includes(child.text)) faults.push(`${child.name} is ${child.text}, none of ${content.join(', ')}`)
}

function isRules(content: readonly string[] | readonly Rule[]): content is readonly Rule[] {
  return typeof content[0] !== 'string'
}

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
