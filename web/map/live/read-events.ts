import { createParser } from 'eventsource-parser'

export interface ServerEvent {
  readonly event: string
  /** The last id that the server has sent; the HTML standard lets events without one inherit it. */
  readonly id: string | null
  readonly data: string
}

interface EventHandlers {
  /** Called for every chunk, so that heartbeats count as signs of life. */
  onChunk(): void
  onEvent(event: ServerEvent): void
  /** The server has named the delay before a reconnect. */
  onRetry(delayMs: number): void
}

/** Reads Server-Sent Events from a response body until it ends. */
export async function readEvents(body: ReadableStream<Uint8Array>, handlers: EventHandlers): Promise<void> {
  let lastId: string | null = null
  const parser = createParser({
    onId: (id) => {
      lastId = id
    },
    onEvent: ({ event = 'message', data }) => handlers.onEvent({ event, id: lastId, data }),
    onRetry: handlers.onRetry,
  })
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    handlers.onChunk()
    parser.feed(value)
  }
}
