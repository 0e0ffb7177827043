import type { ReadStreamQuery } from '../generated/types.ts'

/** The incidents to stream: the filters of the list but for times. */
export type StreamFilter = Omit<ReadStreamQuery, 'last_event_id'>
