/** One event of a stream of Server-Sent Events. */
export interface ServerSentEvent {
  /** `message` if the stream does not name it; empty if it only tells a position. */
  readonly event: string
  readonly data: string
  /** The position after this event; null if the stream has not told one. */
  readonly id: string | null
}

/**
 * Parses Server-Sent Events as the HTML standard says; an event that is cut off is never returned.
 */
export class EventParser {
  /** The last position told. */
  id: string | null = null
  /** The time that the service asks to wait before reconnecting. */
  retryMs: number | null = null
  #rest = ''
  #event = ''
  #data: string[] = []
  #id: string | null = null

  /** Returns the events that end in this text. */
  push(text: string): ServerSentEvent[] {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop()!
    return lines.flatMap((line) => this.#line(line) ?? [])
  }

  #line(line: string): ServerSentEvent | null {
    if (line === '') return this.#dispatch()
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'event') this.#event = value
    if (name === 'data') this.#data.push(value)
    if (name === 'id' && !value.includes('\0')) this.#id = value
    if (name === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value)
    return null
  }

  /** The position counts only once its event is whole. */
  #dispatch(): ServerSentEvent | null {
    const moved = this.#id !== this.id
    this.id = this.#id
    const event = this.#event || 'message'
    const data = this.#data
    this.#event = ''
    this.#data = []
    if (data.length > 0) return { event, data: data.join('\n'), id: this.id }
    return moved ? { event: '', data: '', id: this.id } : null
  }
}
