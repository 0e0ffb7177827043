import { IncidentFeedError, NetworkError, ProblemError, TimeoutError } from '../src/index.ts'
import { EXIT } from './command.ts'
import { plainText } from './output/plain-text.ts'
import { NotLoggedIn } from './settings.ts'
import { UsageError } from './usage-error.ts'

/**
 * Explains an error to the user, with the exit code; null if it is a fault of this program.
 */
export function explainError(error: unknown): { readonly text: string; readonly code: number } | null {
  if (error instanceof UsageError) return { text: error.message, code: EXIT.usage }
  if (error instanceof NotLoggedIn) return { text: error.message, code: EXIT.key }
  if (error instanceof ProblemError) return { text: plainText(problemText(error)), code: problemExit(error) }
  if (error instanceof NetworkError || error instanceof TimeoutError)
    return {
      text: `The service cannot be reached: ${error.message}.\nIs the address right, and is it running?`,
      code: EXIT.failed,
    }
  if (error instanceof IncidentFeedError) return { text: error.message, code: EXIT.failed }
  const { code, message } = error as NodeJS.ErrnoException
  return typeof code === 'string' ? { text: message, code: EXIT.failed } : null
}

function problemText({ detail, errors, status, code, requestId }: ProblemError): string {
  const hints = errors.flatMap(({ parameter, pointer, did_you_mean: names = [], allowed = [] }) => {
    const option = `--${(parameter ?? pointer ?? '').split('/').at(-1)!.replaceAll('_', '-')}`
    if (names.length > 0) return [`${option}: did you mean ${names.join(' or ')}?`]
    return allowed.length > 0 && allowed.length < 60 ? [`${option} takes ${allowed.join(', ')}`] : []
  })
  const advice = ADVICE[status]
  const reference = status >= 500 ? [`Request ${requestId ?? 'without an id'}, code ${code ?? status}.`] : []
  return [detail, ...hints, ...(advice === undefined ? [] : [advice]), ...reference].join('\n')
}

const ADVICE: Readonly<Record<number, string>> = {
  401: 'Run "incidents login", or set INCIDENT_FEED_KEY to a valid key.',
  403: '"incidents login" with a key of that scope helps.',
}

function problemExit({ status, code }: ProblemError): number {
  if (code === 'position_lost') return EXIT.failed
  if (status === 401 || status === 403) return EXIT.key
  if (status === 404 || status === 410 || status === 301) return EXIT.notFound
  return status === 400 || status === 422 ? EXIT.usage : EXIT.failed
}
