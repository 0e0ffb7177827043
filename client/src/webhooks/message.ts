import type { IncidentCreatedMessage, IncidentRetractedMessage, IncidentUpdatedMessage } from '../generated/types.ts'

/** A message of a watch: `event` says which. */
export type WebhookMessage = IncidentCreatedMessage | IncidentUpdatedMessage | IncidentRetractedMessage
