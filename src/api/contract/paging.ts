import Type from 'typebox'
import { limitParameter } from '../../filter/parameter-values.ts'
import { Nullable } from './schema.ts'

const CURSOR = { description: 'The `next_cursor` of the previous page.', example: 'next_cursor' } as const

/** The parameters of a list that is read page by page; `what` it has, such as `Watches`. */
export function pageParameters(what: string, maximum: number) {
  return { limit: limitParameter(what, maximum), cursor: CURSOR }
}

/** The members of a page besides its `data`. */
export const PAGING = {
  has_more: Type.Boolean(),
  next_cursor: Nullable(Type.String({ description: 'Send it as `cursor` to get the next page.' })),
}
