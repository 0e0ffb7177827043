import { WATCH_FILTER_PARAMETERS } from '../../../filter/filter/watch-filter.ts'
import { queryBody } from '../../incidents/contract.ts'

export const EXAMPLE_FILTER = { state: ['Kaduna', 'Zamfara'], min_severity: 'high' }

export const WatchFilter = queryBody('WatchFilter', WATCH_FILTER_PARAMETERS, {
  description:
    'The incidents to watch for: the filters of the list except time and paging, several values as arrays, `incident` to follow certain ones, and two that a query string cannot hold, `polygon` and `route`. All must hold; `{}` matches everything.',
  example: EXAMPLE_FILTER,
})
