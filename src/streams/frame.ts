/** One block of an event stream, as browsers understand it; what is not given is not written. */
export interface Frame {
  readonly comment?: string
  /** How long a reader that is cut off waits before it comes back, in milliseconds. */
  readonly retry?: number
  /** Where the reader stands from here on. Without `data`, nothing but that reaches it. */
  readonly id?: number
  readonly event?: string
  readonly data?: string
}

/** The block's bytes. A text with a line break throws: it would let its author write fields of ours. */
export function frameBytes({ comment, retry, id, event, data }: Frame): Buffer {
  let text = ''
  if (comment !== undefined) text += `: ${oneLine(comment)}\n`
  if (retry !== undefined) text += `retry: ${whole(retry)}\n`
  if (id !== undefined) text += `id: ${whole(id)}\n`
  if (event !== undefined) text += `event: ${oneLine(event)}\n`
  if (data !== undefined) text += `data: ${oneLine(data)}\n`
  return Buffer.from(`${text}\n`)
}

function oneLine(text: string): string {
  if (/[\r\n]/.test(text)) throw new TypeError('a field of an event stream cannot hold a line break')
  return text
}

function whole(number: number): number {
  if (!Number.isSafeInteger(number) || number < 0) throw new TypeError(`${number} is not a whole number from 0`)
  return number
}
