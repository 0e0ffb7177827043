/**
 * A signal that is aborted with the given one, or once the time has passed since the last `extend`.
 */
export interface Deadline {
  readonly signal: AbortSignal
  /** Whether the time ended it, not the given signal. */
  readonly passed: boolean
  /** Starts the time again. */
  extend(): void
  /** Stops the clock and lets go of the given signal. */
  end(): void
}

/**
 * `AbortSignal.any` would keep a long-lived signal's listeners for as long as that signal lives.
 */
export function startDeadline(milliseconds: number, signal: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  let passed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const abort = (): void => controller.abort(signal!.reason)
  const extend = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      passed = true
      controller.abort()
    }, milliseconds)
  }
  const end = (): void => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  if (signal?.aborted) abort()
  else {
    signal?.addEventListener('abort', abort, { once: true })
    extend()
  }
  return {
    signal: controller.signal,
    get passed() {
      return passed
    },
    extend,
    end,
  }
}
