/** A signed message as the service wrote it: its bytes must not change. */
export interface SignedMessage {
  readonly id: string
  readonly kind: string
  readonly test: boolean
  readonly resent: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Outcome {
  /** Null if no answer came. */
  readonly status: number | null
  readonly durationMs: number
  /** Null if the endpoint took the message. */
  readonly error: string | null
}

/** As long as the service waits for an endpoint. */
const TIMEOUT_MS = 15_000

/** Posts a message as the service would; never throws but for the user's interrupt. */
export async function forward(message: SignedMessage, url: string, signal: AbortSignal): Promise<Outcome> {
  const started = performance.now()
  const outcome = (status: number | null, error: string | null): Outcome => ({
    status,
    durationMs: Math.round(performance.now() - started),
    error,
  })
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: message.headers,
      body: message.body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    })
    await response.body?.cancel()
    return outcome(response.status, response.ok ? null : `answered ${response.status}`)
  } catch (error) {
    signal.throwIfAborted()
    return outcome(null, timeout.aborted ? `did not answer within ${TIMEOUT_MS / 1000} s` : reasonOf(error))
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException }
  if (cause?.code === 'ECONNREFUSED') return 'is not there (connection refused)'
  return cause?.message || message
}
