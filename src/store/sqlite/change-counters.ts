import type { NotificationTopic } from '../store.ts'
import type { Database } from './database.ts'

/** One number per topic, which grows with every change. */
export type ChangeCounters = Record<NotificationTopic, number>

export function changeCounters(database: Database) {
  return {
    read(): ChangeCounters {
      const row = database.get<ChangeCounters>(
        `SELECT (SELECT seq FROM log_head) AS events,
                (SELECT revision FROM watch_head) AS watches,
                (SELECT made_due FROM fan_out) AS deliveries,
                (SELECT revision FROM desk_head) AS desk,
                (SELECT revision FROM gazetteer_head) AS gazetteer`,
      )
      return { ...row! }
    },
  }
}
