import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { SaxesParser } from 'saxes'
import type { EventKind, Incident } from '../../src/domain/incident.ts'

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
  // Releases before the chain name no position.
  const { seq, position = String(seq), event } = change
  if (field('id') !== position || field('event') !== event)
    throw new Error(`the id and event fields do not match the data: ${block}`)
  return { ...change, position }
}

/** A change as `/v1/changes` and the stream return it. */
export interface StreamedChange {
  seq: number
  position: string
  event: EventKind
  at: string
  incident_id: string
  incident: Incident | null
}

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

export interface Feature {
  readonly x: number
  readonly y: number
  readonly properties: Readonly<Record<string, string | number | boolean>>
}

/** Reads the points of a tile with Mapbox's decoder. */
export function featuresOf(bytes: Uint8Array | null): Feature[] {
  if (bytes === null) return []
  const { layers } = new VectorTile(new PbfReader(bytes))
  const layer = layers.incidents!
  if (Object.keys(layers).length !== 1 || layer.version !== 2 || layer.extent !== 4096)
    throw new Error('a tile must have only the layer incidents, with version 2 and extent 4096')
  return Array.from({ length: layer.length }, (_, index) => {
    const feature = layer.feature(index)
    const [point] = feature.loadGeometry().flat()
    return { x: point!.x, y: point!.y, properties: { ...feature.properties } as Feature['properties'] }
  })
}

export function countIn(features: readonly Feature[]): number {
  return features.reduce((sum, { properties }) => sum + Number(properties.count ?? 1), 0)
}

export interface Element {
  readonly name: string
  readonly namespace: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

/**
 * Parses XML and throws if it is not well formed or contains a character that XML does not allow.
 */
export function parseXml(text: string): Element {
  const root: Element = { name: '', namespace: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ local, uri, attributes }) => {
    const values = Object.entries(attributes).map(([name, attribute]) => [name, attribute.value])
    const element: Element = {
      name: local,
      namespace: uri,
      attributes: Object.fromEntries(values),
      children: [],
      text: '',
    }
    open.at(-1)!.children.push(element)
    open.push(element)
  })
  parser.on('text', (part) => {
    open.at(-1)!.text += part
  })
  parser.on('closetag', () => open.pop())
  parser.write(text).close()
  return root.children[0]!
}

export function childNamed(element: Element, name: string): Element {
  const found = element.children.filter((child) => child.name === name)
  if (found.length !== 1) throw new Error(`${found.length} elements ${name} in ${element.name}`)
  return found[0]!
}
