import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { eventLoopShare } from '../lib/concurrency.ts'

/** A connection with more waiting requests than this is not read until they have all begun. */
const READ_AHEAD = 8
/**
 * Waiting requests of all connections, beyond READ_AHEAD of each. What was read at once is in
 * memory, thousands of requests of one connection; above this, it is closed.
 */
const MAX_WAITING = 10_000
/** All that wait are one subject: long computations take turns with them. */
const SUBJECT = 'pipelining'

interface WaitingRequest {
  readonly response: ServerResponse
  readonly begin: () => void
}

interface Pipeline {
  /** In the order in which they came. */
  readonly waiting: WaitingRequest[]
  /** Called once all have been answered; null if the connection goes on. */
  end: (() => void) | null
}

/** Node has no public way to ask this. */
export function answerUnderWay(socket: Socket): ServerResponse | null {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? null
}

/**
 * Starts the requests that a client sends ahead one by one, each when the answer before it has
 * ended, and in a turn of the event loop of its own. Node parses what it has read at once, up to a
 * thousand requests, and emits all of them in one turn: everybody else would wait for all of them.
 */
export class Pipelines {
  readonly #bySocket = new Map<Socket, Pipeline>()
  #waiting = 0

  /** Connections that have sent a request ahead. */
  get size(): number {
    return this.#bySocket.size
  }

  /** Takes a request that came before the answer to an earlier one of its connection ended. */
  addRequest(request: WaitingRequest): void {
    const { socket } = request.response.req
    if (socket.destroyed) return
    const pipeline = this.#bySocket.get(socket) ?? this.#open(socket)
    if (pipeline.waiting.length >= READ_AHEAD && this.#waiting >= MAX_WAITING) {
      socket.destroy()
      return
    }
    pipeline.waiting.push(request)
    this.#waiting++
    if (pipeline.waiting.length > READ_AHEAD) socket.pause()
  }

  /** Call when the answer to a request has ended, or cannot end. */
  async startNext({ socket }: IncomingMessage): Promise<void> {
    const pipeline = this.#bySocket.get(socket)
    if (pipeline === undefined) return
    const { waiting } = pipeline
    if (waiting.length > 0) await eventLoopShare.nextSlice(SUBJECT)
    const next = waiting[0]
    // A request whose rest is not read any more has no answer.
    if (pipeline.end !== null && !next?.response.req.complete) return pipeline.end()
    // Node gives the connection to the next response, unless the one before was its last.
    if (!next?.response.socket || socket.destroyed) return
    waiting.shift()
    this.#waiting--
    // Its body may not have been read yet.
    if (waiting.length === 0 && pipeline.end === null) socket.resume()
    next.begin()
  }

  /**
   * Lets the requests be answered that came whole, and then calls `end` instead of reading on.
   * Returns false if there are none.
   */
  endAfterAnswers(socket: Socket, end: () => void): boolean {
    const answer = answerUnderWay(socket)
    if (socket.destroyed || !answer?.req.complete) return false
    const pipeline = this.#bySocket.get(socket)
    if (pipeline === undefined && answer.headersSent) return false
    ;(pipeline ?? this.#open(socket)).end = end
    socket.pause()
    return true
  }

  #open(socket: Socket): Pipeline {
    const pipeline: Pipeline = { waiting: [], end: null }
    this.#bySocket.set(socket, pipeline)
    // Node resumes a connection on its own when the client has read an answer.
    socket.on('resume', () => {
      if (pipeline.end !== null || pipeline.waiting.length > READ_AHEAD) socket.pause()
    })
    socket.once('close', () => {
      this.#waiting -= pipeline.waiting.length
      pipeline.waiting.length = 0
      this.#bySocket.delete(socket)
    })
    return pipeline
  }
}
