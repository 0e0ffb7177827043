import Type from 'typebox'
import { CATEGORY_NAMES, SEVERITIES, TYPE_NAMES } from '../../../domain/taxonomy.ts'
import { Nullable, OneOf } from '../schema.ts'

const named = <Value extends string>(values: readonly Value[]) =>
  Type.Object({ key: OneOf(values, 'The value, as the filter accepts it.'), label: Type.String() })

/** The field by which an answer in groups names one of them; each is there if it was asked for. */
export const groupFields = {
  state: Type.Optional(
    Type.Object({ key: Type.String({ description: 'The ISO 3166-2 code.' }), label: Type.String() }),
  ),
  lga: Type.Optional(
    Nullable(
      Type.Object({
        key: Type.String({ description: 'The code, such as `NG-KD-CHIKUN`.' }),
        label: Type.String(),
        state: Type.String(),
        state_code: Type.String(),
      }),
    ),
  ),
  type: Type.Optional(named(TYPE_NAMES)),
  category: Type.Optional(named(CATEGORY_NAMES)),
  severity: Type.Optional(named(SEVERITIES)),
}
