/** How a report arrived. */
export const ORIGINS = ['api', 'feed', 'tip', 'import'] as const
export type Origin = (typeof ORIGINS)[number]

export const DESK_ORDERS = ['newest', 'oldest', 'severity', 'confidence'] as const
export type DeskOrder = (typeof DESK_ORDERS)[number]

/** Whether a list includes the possible duplicates of each report. */
export const DUPLICATE_CHOICES = ['all', 'none'] as const
