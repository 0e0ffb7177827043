export interface ServerEvent {
  readonly event: string
  readonly id: string | null
  readonly data: string
}

export interface Parsed {
  readonly events: readonly ServerEvent[]
  /** Milliseconds to wait before connecting again, where the server has said so. */
  readonly retry: number | null
}

/** Reads Server-Sent Events (as the HTML standard has them) from text that comes in pieces, cut anywhere. */
export class SseParser {
  #rest = ''
  #event = ''
  #data: string[] = []
  #id: string | null = null
  #begun = false

  push(text: string): Parsed {
    let waiting = this.#rest + text
    if (!this.#begun && waiting !== '') {
      this.#begun = true
      waiting = waiting.replace(/^\uFEFF/, '')
    }
    const events: ServerEvent[] = []
    let retry: number | null = null
    for (;;) {
      // A carriage return at the very end may be the first half of a line break.
      const end = /\r\n|\n|\r(?!$)/.exec(waiting)
      if (end === null) break
      const line = waiting.slice(0, end.index)
      waiting = waiting.slice(end.index + end[0].length)
      if (line === '') this.#dispatch(events)
      else retry = this.#field(line) ?? retry
    }
    this.#rest = waiting
    return { events, retry }
  }

  #field(line: string): number | null {
    const colon = line.indexOf(':')
    if (colon === 0) return null
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'event') this.#event = value
    else if (name === 'data') this.#data.push(value)
    else if (name === 'id' && !value.includes('\0')) this.#id = value
    else if (name === 'retry' && /^\d+$/.test(value)) return Number(value)
    return null
  }

  #dispatch(events: ServerEvent[]): void {
    if (this.#data.length > 0) {
      events.push({ event: this.#event || 'message', id: this.#id, data: this.#data.join('\n') })
    }
    this.#event = ''
    this.#data = []
  }
}
