import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { bodyOf, type Receiver, receive } from '../deliveries/receiver.ts'

export interface Message {
  readonly headers: IncomingHttpHeaders
  /** The exact bytes received. */
  readonly body: string
  readonly json: {
    event: string
    watch: string
    incident: { id: string; version: number; summary: string }
    id: string
    watch_id: string
    sequence: number
    seq: number
    test?: boolean
    sites?: unknown
  }
}

/** An endpoint that records every message and calls `answer` to respond. */
export interface TestEndpoint extends Receiver {
  readonly url: string
  readonly messages: Message[]
  answer: (response: ServerResponse, message: Message) => void
}

export async function startEndpoint(): Promise<TestEndpoint> {
  const messages: Message[] = []
  const endpoint = {
    messages,
    answer: (response: ServerResponse, _message: Message) => {
      response.statusCode = 204
      response.end()
    },
  }
  const receiver = await receive(async (request, response) => {
    const body = await bodyOf(request)
    const message = { headers: request.headers, body, json: JSON.parse(body) as Message['json'] }
    messages.push(message)
    endpoint.answer(response, message)
  })
  return Object.assign(endpoint, receiver, { url: `http://127.0.0.1:${receiver.port}/hook` })
}
