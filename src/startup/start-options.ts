import type { LookupFunction } from 'node:net'
import type { Logger } from 'pino'
import type { ConnectionTimeouts } from '../api/connections.ts'
import type { LineDestination } from '../api/request-log.ts'
import type { StoreOptions } from '../store/open.ts'
import type { StreamLimits } from '../streams/stream-connection.ts'
import type { KeepingOptions } from './archive/archive-keeper.ts'
import type { SourceOptions } from './sources.ts'
import type { StopTimeouts } from './stopping/stop-steps.ts'

export interface StartOptions {
  readonly clock?: () => number
  readonly logger?: Logger
  /** Where LOG_REQUESTS writes; by default the standard output. */
  readonly requestLog?: () => LineDestination
  /** Resolves the host names of webhook endpoints. */
  readonly lookup?: LookupFunction
  readonly sqlite?: StoreOptions['sqlite']
  readonly streams?: Partial<StreamLimits>
  readonly connections?: Partial<ConnectionTimeouts>
  readonly stopping?: Partial<StopTimeouts>
  readonly sources?: SourceOptions
  readonly keeping?: Partial<KeepingOptions>
}
