import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Problem } from '../../domain/errors.ts'

const inflate = promisify(gunzip)

/** Reads `Content-Encoding`; throws 415 for an encoding that is not taken. */
export function isGzipped(header: string | undefined): boolean {
  const encoding = header?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return false
  if (encoding === 'gzip' || encoding === 'x-gzip') return true
  throw new Problem(
    'unsupported_media_type',
    `Content-Encoding ${JSON.stringify(encoding.slice(0, 60))} is not taken. Send the body as it is, or with Content-Encoding: gzip.`,
    // As RFC 9110 asks, so that a client can tell this from a wrong media type.
    { headers: { 'accept-encoding': 'gzip, identity' } },
  )
}

/** Inflates up to `maxBytes`: a small body may claim to hold gigabytes. Runs in zlib's threads. */
export async function inflateBody(body: Buffer, maxBytes: number): Promise<Buffer> {
  if (body.length === 0) return body
  try {
    return await inflate(body, { maxOutputLength: maxBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Problem('body_too_large', `The body has more than ${maxBytes / 1024} KiB once it is inflated.`)
    throw new Problem('malformed_request', 'The body is not gzip, though Content-Encoding says so.')
  }
}
