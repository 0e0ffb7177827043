import pino, { type Logger } from 'pino'
import { DescriptorDestination, type LineDestination } from '../../api/request-log.ts'
import type { Config } from '../../config/settings.ts'
import { type LogEntry, logLine } from './log-line.ts'

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

/** Where LOG_REQUESTS writes: the standard output, in the form of the log. */
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
