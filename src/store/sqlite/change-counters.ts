import type { Topic } from '../topic.ts'
import type { Database } from './connection/database.ts'

/** A number for each topic that grows whenever there is something to wake up for. */
export type Marks = Record<Topic, number>

export function marks(database: Database) {
  return {
    read(): Marks {
      const row = database.get<Marks>(
        `SELECT (SELECT seq FROM log_head) AS events,
                (SELECT revision FROM watch_head) AS watches,
                (SELECT made_due FROM fan_out) AS deliveries`,
      )
      return { ...row! }
    },
  }
}
