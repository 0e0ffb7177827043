import { FILTER_PARAMETERS, INCIDENT_PARAMETER, type Parameter } from './parameters.ts'

/**
 * Writes a filter in the form that the contract declares. Parsing takes more: `"0.8"` for a number,
 * a list of one value for a value, and spaces around them.
 */
export function declaredForm(filter: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const parameters: Readonly<Record<string, Parameter | undefined>> = {
    ...FILTER_PARAMETERS,
    incident: INCIDENT_PARAMETER,
  }
  return Object.fromEntries(
    Object.entries(filter).map(([name, value]) => {
      const parameter = parameters[name]
      return [name, parameter === undefined ? value : declaredValue(parameter, value)]
    }),
  )
}

function declaredValue({ number, numbers, several }: Parameter, value: unknown): unknown {
  if (numbers !== undefined) return Array.isArray(value) ? value.map(Number) : value
  if (several) return Array.isArray(value) ? value.map((one) => String(one).trim()) : String(value)
  const single: unknown = Array.isArray(value) ? value[0] : value
  return number ? Number(single) : String(single).trim()
}
