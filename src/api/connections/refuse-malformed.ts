import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ERRORS, type ErrorCode } from '../../domain/error-codes.ts'
import { Problem } from '../../domain/errors.ts'
import { problemBody } from '../responses/problem-response.ts'

const PARSER_ERRORS: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/**
 * Malformed HTTP and requests that take too long bypass Fastify; replies with the same
 * problem+json. The client has `lingerMs` to read it: without an end, it could keep the socket open
 * for ever.
 */
export function refuseMalformedHttp(
  error: Error & { code?: string },
  socket: Socket,
  requestId: string,
  lingerMs: number,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || hasBegunToAnswer(socket)) {
    socket.destroy()
    return
  }
  const code = PARSER_ERRORS[error.code ?? ''] ?? 'malformed_request'
  const body = JSON.stringify(problemBody(new Problem(code, ERRORS[code].meaning), requestId))
  const { status } = ERRORS[code]
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/problem+json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  )
}

/** A second answer must not be written into the first. Node has no public way to ask this. */
function hasBegunToAnswer(socket: Socket): boolean {
  return (socket as { _httpMessage?: ServerResponse })._httpMessage?.headersSent === true
}
