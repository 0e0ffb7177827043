export type Attributes = Readonly<Record<string, string | number | boolean>>

/** As OpenTelemetry numbers them. */
export const SPAN_KINDS = { internal: 1, server: 2, client: 3 } as const

/** One piece of work. Times are milliseconds since 1970, with fractions. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly name: string
  readonly kind: keyof typeof SPAN_KINDS
  readonly startedAt: number
  readonly endedAt: number
  readonly failed: boolean
  readonly attributes: Attributes
}

/** The body of a request to `/v1/traces` (OTLP 1.x, JSON). */
export function tracesBody(resource: Attributes, spans: readonly Span[]): string {
  const scopeSpans = [{ scope: { name: 'incident-feed' }, spans: spans.map(spanJson) }]
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: attributeList(resource) }, scopeSpans }] })
}

function spanJson({ traceId, spanId, parentSpanId, name, kind, startedAt, endedAt, failed, attributes }: Span) {
  return {
    traceId,
    spanId,
    ...(parentSpanId === null ? {} : { parentSpanId }),
    name,
    kind: SPAN_KINDS[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: attributeList(attributes),
    status: failed ? { code: 2 } : {},
  }
}

/** A number of this size loses its last digits in JSON, so it is text. */
function nanoseconds(milliseconds: number): string {
  return (BigInt(Math.round(milliseconds * 1000)) * 1000n).toString()
}

function attributeList(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: attributeValue(value) }))
}

function attributeValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
