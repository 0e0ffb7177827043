import { ACCOUNT_ERRORS } from './account-errors.ts'
import type { ErrorDescription } from './error-description.ts'
import { INCIDENT_ERRORS } from './incident-errors.ts'
import { REQUEST_ERRORS } from './request-errors.ts'
import { SERVICE_ERRORS } from './service-errors.ts'
import { WATCH_ERRORS } from './watch-errors.ts'

const TABLE = {
  ...REQUEST_ERRORS,
  ...ACCOUNT_ERRORS,
  ...INCIDENT_ERRORS,
  ...WATCH_ERRORS,
  ...SERVICE_ERRORS,
} as const
export type ErrorCode = keyof typeof TABLE

/** Every error of the API, by its HTTP status: its code, and what the client should do. */
export const ERRORS = Object.fromEntries(
  Object.entries<ErrorDescription>(TABLE).toSorted(([, one], [, other]) => one.status - other.status),
) as Readonly<Record<ErrorCode, ErrorDescription>>
