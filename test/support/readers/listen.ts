import { readStream, type StreamReader } from './stream.ts'

export interface ListenedMessage {
  readonly id: string
  readonly kind: string
  readonly seq: number
  readonly test: boolean
  readonly resent: boolean
  readonly headers: Record<string, string>
  readonly body: string
}

/** One block of `/v1/listen`. */
export interface ListenedEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: Record<string, unknown>
}

export interface ListenReader extends AsyncDisposable {
  readonly stream: StreamReader
  events(): ListenedEvent[]
  messages(): ListenedMessage[]
  /** The last `id` received. */
  position(): string
}

export async function readListening(
  url: string,
  key: string,
  headers: Record<string, string> = {},
): Promise<ListenReader> {
  const stream = await readStream(url, key, headers)
  const events = () => stream.blocks.flatMap(eventIn)
  return {
    stream,
    events,
    messages: () =>
      events()
        .filter(({ event }) => event === 'message')
        .map(({ data }) => data as unknown as ListenedMessage),
    position: () => events().findLast(({ id }) => id !== undefined)!.id!,
    [Symbol.asyncDispose]: () => stream[Symbol.asyncDispose](),
  }
}

function eventIn(block: string): ListenedEvent[] {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const data = fields.get('data')
  if (data === undefined) return []
  return [{ id: fields.get('id'), event: fields.get('event')!, data: JSON.parse(data) as Record<string, unknown> }]
}
