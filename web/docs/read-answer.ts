const MOST_BYTES = 100_000

/** The body as text for people: JSON indented, bytes counted, and long ones cut. */
export async function readAnswer(response: Response): Promise<string> {
  const type = response.headers.get('content-type') ?? ''
  const { bytes, isWhole } = await readBeginning(response)
  if (bytes.length === 0) return ''
  if (!/json|text|xml/.test(type)) return `${bytes.length}${isWhole ? '' : ' or more'} bytes of ${type}`
  const text = new TextDecoder().decode(bytes)
  if (!isWhole) return `${text}\n… (the rest is not shown)`
  return /[/+]json/.test(type) ? indented(text) : text
}

async function readBeginning(response: Response): Promise<{ bytes: Uint8Array; isWhole: boolean }> {
  const reader = response.body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  let isWhole = true
  while (reader !== undefined) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    size += value.length
    if (size > MOST_BYTES) {
      isWhole = false
      await reader.cancel()
      break
    }
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return { bytes, isWhole }
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
