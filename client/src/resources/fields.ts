import type { Incident, IncidentField, IncidentList } from '../generated/types.ts'
import type { IncidentQuery } from './incident-query.ts'

/** Members of an incident: one, or a list. */
export type ChosenFields = IncidentField | readonly IncidentField[]

/**
 * An incident with the chosen members and `id`, which is always there. Of a list that is only known
 * while the program runs, each member may be missing.
 */
export type IncidentWith<Fields extends ChosenFields> = Fields extends readonly IncidentField[]
  ? number extends Fields['length']
    ? Pick<Incident, 'id'> & Partial<Pick<Incident, Fields[number]>>
    : Pick<Incident, Fields[number] | 'id'>
  : Fields extends IncidentField
    ? Pick<Incident, Fields | 'id'>
    : never

/** A query for some members of each incident. */
export type IncidentQueryWith<Fields extends ChosenFields> = Omit<IncidentQuery, 'fields'> & {
  /** Only these members of each incident, and `id`. */
  readonly fields: Fields
}

/** One page of incidents with the chosen members. */
export type IncidentListWith<Fields extends ChosenFields> = Omit<IncidentList, 'data'> & {
  /** The incidents of the page. */
  readonly data: readonly IncidentWith<Fields>[]
}
