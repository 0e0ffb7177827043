import type { ErrorCode } from '../../domain/error-codes.ts'

/** Problems of every endpoint that searches the archive with a filter. */
export const SEARCH_PROBLEMS = ['too_many_values', 'too_much_work', 'busy'] as const satisfies readonly ErrorCode[]

/** Of every endpoint that takes `area`: the account has no such area. */
export const AREA_PROBLEMS = ['not_found'] as const satisfies readonly ErrorCode[]
