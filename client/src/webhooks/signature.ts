const PREFIX = 'whsec_'

/** Calculates the signature of Standard Webhooks over `id.timestamp.body`. */
export async function signatureOf(
  secret: string,
  id: string,
  timestamp: string,
  body: Uint8Array,
): Promise<Uint8Array> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', keyOf(secret), algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, signed))
}

/** Takes the same time wherever the two differ. */
export function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  let difference = 0
  for (let index = 0; index < one.length; index++) difference |= one[index]! ^ other[index]!
  return difference === 0
}

/** Null if the text is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = secret.startsWith(PREFIX) ? fromBase64(secret.slice(PREFIX.length)) : null
  // An empty key would sign, and anybody could.
  if (key === null || key.length < 24)
    throw new TypeError('the secret of a watch is whsec_ followed by base64, as the service showed it')
  return key
}
