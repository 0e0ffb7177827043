/** A message as an endpoint received it. */
export interface ReceivedMessage {
  /** The Standard Webhooks headers, without their prefix. */
  readonly headers: { readonly id: string; readonly timestamp: string; readonly signature: string }
  /** The body as it was signed. */
  readonly text: string
  readonly body: MessageBody
  /** On the monotonic clock of the harness. */
  readonly receivedAt: number
  /** True if the endpoint responded with a 2xx. */
  readonly accepted: boolean
  /** The `seq` and `watch_id` of the body. */
  readonly seq: number
  readonly watchId: string
}

/** The members that the specification names; an endpoint takes none of them for granted. */
export interface MessageBody {
  readonly event: string
  readonly watch: string
  readonly incident: Record<string, unknown>
  readonly id: string
  readonly watch_id: string
  readonly sequence: number
  readonly seq: number
  readonly created_at: string
}
