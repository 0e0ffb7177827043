import pino, { type Logger } from 'pino'
import { DescriptorDestination, type LineDestination } from '../api/request-log.ts'
import type { Config } from '../config/settings.ts'

const STDOUT = 1

/** The log of the service, on standard output. */
export function openLog({ LOG_LEVEL, LOG_FORMAT }: Pick<Config, 'LOG_LEVEL' | 'LOG_FORMAT'>): Logger {
  const options = { level: LOG_LEVEL }
  if (!isForPeople(LOG_FORMAT)) return pino(options)
  return pino(options, { write: (json) => void process.stdout.write(logLine(JSON.parse(json) as LogEntry)) })
}

/** Whether lines are written for people, and not for a program that collects them. */
export function isForPeople(format: Config['LOG_FORMAT']): boolean {
  return format === 'text' || (format === 'auto' && process.stdout.isTTY)
}

/** Opens the destination of LOG_REQUESTS: the standard output, in the form of the log. */
export function openRequestLog({ LOG_FORMAT }: Pick<Config, 'LOG_FORMAT'>): LineDestination {
  const stdout = new DescriptorDestination(STDOUT)
  if (!isForPeople(LOG_FORMAT)) return stdout
  return {
    write: (lines) => stdout.write(lines.trimEnd().split('\n').map(lineForPeople).join('')),
    flush: () => stdout.flush(),
  }
}

function lineForPeople(json: string): string {
  return logLine(JSON.parse(json) as LogEntry)
}

const TIME_LENGTH = 'HH:MM:SS'.length

/** Of every line, and of no use to a person who looks at one process. */
const OMITTED = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err'])
const LEVELS: readonly (readonly [least: number, word: string])[] = [
  [60, 'fatal: '],
  [50, 'error: '],
  [40, 'warning: '],
  [0, ''],
]

/** An entry of the log as pino writes it. */
interface LogEntry {
  readonly level: number
  /** Milliseconds since 1970. */
  readonly time: number
  readonly msg?: string
  readonly err?: { readonly message?: string; readonly stack?: string }
  readonly [field: string]: unknown
}

/**
 * Writes an entry as a person reads it: `21:40:05 warning: the message (field value)`, in the
 * machine's own time, with the stack of an error beneath.
 */
export function logLine(entry: LogEntry): string {
  const time = new Date(entry.time).toTimeString().slice(0, TIME_LENGTH)
  const [, level] = LEVELS.find(([least]) => entry.level >= least)!
  const fields = Object.entries(entry)
    .filter(([name]) => !OMITTED.has(name))
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const details = fields.length === 0 ? '' : ` (${fields.join(', ')})`
  const stack = entry.err?.stack ?? entry.err?.message
  const lines = [`${time} ${level}${entry.msg ?? ''}${details}`, ...(stack === undefined ? [] : stack.split('\n'))]
  return `${lines.map((line, index) => `${index === 0 ? '' : '         '}${visible(line)}`).join('\n')}\n`
}

/** Clients choose some of the words, and a terminal would obey their control characters. */
function visible(line: string): string {
  return line.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
