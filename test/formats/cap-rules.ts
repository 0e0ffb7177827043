import type { Element } from '../support/readers.ts'

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
export function capFaults(alert: Element): string[] {
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
