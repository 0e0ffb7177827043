import type { StreamedChange } from './change.ts'

export interface StreamReader extends AsyncDisposable {
  readonly response: Response
  /** The events in the order received. */
  readonly changes: StreamedChange[]
  /** Every block as received, without the blank line that ends it. */
  readonly blocks: string[]
  /** Resolves once the stream has ended or failed. */
  readonly ended: Promise<void>
}

/** Reads an event stream without a client library, which could hide duplicates or invalid lines. */
export async function readStream(
  url: string,
  key: string,
  headers: Record<string, string> = {},
): Promise<StreamReader> {
  const leaving = new AbortController()
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}`, ...headers }, signal: leaving.signal })
  const changes: StreamedChange[] = []
  const blocks: string[] = []
  const reading = async () => {
    let rest = ''
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + text).split('\n\n')
      rest = parts.pop()!
      for (const block of parts) {
        blocks.push(block)
        const change = changeIn(block)
        if (change) changes.push(change)
      }
    }
  }
  const ended = reading().catch(() => {})
  return {
    response,
    changes,
    blocks,
    ended,
    async [Symbol.asyncDispose]() {
      leaving.abort()
      await ended
    },
  }
}

function changeIn(block: string): StreamedChange | null {
  const field = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
  const data = field('data')
  if (data === undefined || !field('event')!.startsWith('incident.')) return null
  const change = JSON.parse(data) as StreamedChange
  if (field('id') !== String(change.seq) || field('event') !== change.event)
    throw new Error(`the id and event fields do not match the data: ${block}`)
  return change
}
