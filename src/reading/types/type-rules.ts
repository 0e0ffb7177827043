import { DISTINCT_RULES } from './distinct-rules.ts'
import { GENERAL_RULES } from './general-rules.ts'
import type { TypeRule } from './type-rule.ts'

/** The first rule that fits a sentence gives its type. */
export const TYPE_RULES: readonly TypeRule[] = [...DISTINCT_RULES, ...GENERAL_RULES]
