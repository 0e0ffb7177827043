import type { Watch } from '../../../client/src/generated/types.ts'
import type { Severity } from '../../../src/domain/taxonomy.ts'
import type { WatchEvent } from '../../../src/domain/watch.ts'
import { MASK } from '../../../src/domain/watch-headers.ts'
import { createStore } from '../../shared/store.ts'

export const CHANNEL_WORDS: Readonly<Record<Watch['channel']['kind'], string>> = {
  webhook: 'Webhook: signed JSON for a program',
  email: 'E-mail to your own address',
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Microsoft Teams',
  telegram: 'Telegram',
  webpush: 'Notifications in this browser',
}

export const EVENT_WORDS: Readonly<Record<WatchEvent, string>> = {
  'incident.created': 'New incidents',
  'incident.updated': 'Corrections',
  'incident.retracted': 'Retractions',
}

/** The health of a watch in a sentence. */
export function healthText({ status, disabled_reason, sequence }: Watch, failingFor: string | null): string {
  if (status === 'failing')
    return `Every attempt since ${failingFor} has failed. It is disabled after five days of that.`
  if (status === 'disabled') return `Disabled by the service: ${disabled_reason ?? 'its endpoint failed for too long'}`
  if (status === 'paused') return 'Paused: nothing is sent until you resume it.'
  if (sequence === 0) return 'Waiting for its first incident.'
  return `${sequence === 1 ? 'One message' : `${sequence} messages`} so far.`
}

/**
 * The secret that was made on this page, with its watch; the service does not show it a second
 * time.
 */
export const newSecret = createStore<{ readonly watchId: string; readonly secret: string } | null>(null)

/**
 * One header of the form. The service never shows a value again: a stored one is kept unless
 * another is written.
 */
export interface HeaderRow {
  /** Tells rows apart while names are being written. */
  readonly key: number
  readonly name: string
  readonly value: string
  readonly isStored: boolean
}

let rows = 0

export function newRow(name = '', isStored = false): HeaderRow {
  return { key: ++rows, name, value: '', isStored }
}

/** The rows of a watch that exists. */
export function rowsOf(headers: Readonly<Record<string, string>>): HeaderRow[] {
  return Object.keys(headers).map((name) => newRow(name, true))
}

/**
 * The headers as the API takes them; rows without a name and a value are left out. Throws if a name
 * is there twice.
 */
export function headersOf(given: readonly HeaderRow[]): Record<string, string> {
  const headers = new Map<string, string>()
  for (const { name: written, value, isStored } of given) {
    const name = written.trim()
    if (name === '' && value === '') continue
    if (name === '') throw new Error('A header has a value but no name.')
    if ([...headers.keys()].some((other) => other.toLowerCase() === name.toLowerCase()))
      throw new Error(`The header ${name} is there twice.`)
    if (value === '' && !isStored) throw new Error(`The header ${name} has no value.`)
    headers.set(name, value === '' ? MASK : value)
  }
  return Object.fromEntries(headers)
}

/** The schedule of a watch as the form holds it: what is switched off keeps what was chosen. */
export interface ScheduleForm {
  readonly every: 'none' | 'hourly' | 'daily'
  readonly hour: number
  readonly breakSeverity: Severity | null
  readonly isQuiet: boolean
  readonly from: string
  readonly until: string
  readonly quietBreakSeverity: Severity | null
}

type ShownSchedule = Pick<Watch, 'digest' | 'quiet_hours'>

export const AT_ONCE: ScheduleForm = {
  every: 'none',
  hour: 7,
  breakSeverity: 'critical',
  isQuiet: false,
  from: '22:00',
  until: '06:00',
  quietBreakSeverity: 'critical',
}

export function scheduleFormOf({ digest, quiet_hours: quiet }: ShownSchedule): ScheduleForm {
  return {
    ...AT_ONCE,
    ...(digest.every !== 'none' && { every: digest.every, breakSeverity: digest.break_severity }),
    ...(digest.hour !== null && { hour: digest.hour }),
    ...(quiet && { isQuiet: true, from: quiet.from, until: quiet.until, quietBreakSeverity: quiet.break_severity }),
  }
}

export function scheduleMembers(form: ScheduleForm) {
  const { every, hour, breakSeverity, isQuiet, from, until, quietBreakSeverity } = form
  return {
    digest: every === 'none' ? { every } : { every, ...(every === 'daily' && { hour }), break_severity: breakSeverity },
    quiet_hours: isQuiet ? { from, until, break_severity: quietBreakSeverity } : null,
  }
}

/** The schedule in a sentence; null if messages go out at once. */
export function scheduleText({ digest, quiet_hours: quiet }: ShownSchedule): string | null {
  const parts = [
    digest.every === 'hourly' ? 'every hour' : null,
    digest.every === 'daily' ? `once a day at ${String(digest.hour).padStart(2, '0')}:00` : null,
    quiet && `quiet from ${quiet.from} to ${quiet.until}`,
  ].filter((part) => part !== null)
  if (parts.length === 0) return null
  const text = parts.join(', ')
  return `${text[0]!.toUpperCase()}${text.slice(1)} (Lagos).`
}
