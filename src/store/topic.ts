/** What one can be woken for. */
export type Topic = 'events' | 'watches' | 'deliveries'
