import type { Sabotage } from './sabotage.ts'
import { ACCOUNT_SABOTAGES } from './table/accounts.ts'
import { AUTHORIZATION_SABOTAGES } from './table/authorization.ts'
import { BOUNDARY_SABOTAGES } from './table/boundaries.ts'
import { OPERATION_SABOTAGES } from './table/operations.ts'
import { READ_SABOTAGES } from './table/reads.ts'
import { STORE_SABOTAGES } from './table/store.ts'
import { WEBHOOK_SABOTAGES } from './table/webhooks.ts'

export const SABOTAGES: readonly Sabotage[] = [
  ...STORE_SABOTAGES,
  ...WEBHOOK_SABOTAGES,
  ...READ_SABOTAGES,
  ...ACCOUNT_SABOTAGES,
  ...OPERATION_SABOTAGES,
  ...AUTHORIZATION_SABOTAGES,
  ...BOUNDARY_SABOTAGES,
]
