import type { SendResult } from '../../../domain/delivery.ts'
import type { OutgoingRequest } from '../outgoing-request.ts'

/** What the thread is started with. */
export interface SenderSettings {
  /** As in `Guard`. */
  readonly allowPrivate: boolean
  /** Addresses of name servers; null for the system's. */
  readonly nameServers: readonly string[] | null
}

export interface PostedRequest {
  readonly number: number
  readonly request: OutgoingRequest
  readonly accountId: string
}

/** `close`: finish what is open, then end. */
export type ToThread = readonly PostedRequest[] | 'close'

/** `fault`: the request could not be sent at all, which is a defect. */
export type PostedResult =
  | { readonly number: number; readonly sent: SendResult; readonly fault?: undefined }
  | { readonly number: number; readonly fault: string }

export type FromThread = readonly PostedResult[]
