import { SpanExporter } from './exporter.ts'
import type { Attributes } from './otlp.ts'
import { Tracer } from './tracer.ts'

export interface TracingSettings {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string | null
  readonly OTEL_EXPORTER_OTLP_HEADERS: Readonly<Record<string, string>> | null
  readonly OTEL_SERVICE_NAME: string
  readonly OTEL_TRACES_SAMPLER_ARG: number
}

export interface Tracing extends AsyncDisposable {
  readonly tracer: Tracer
}

/** Null without an endpoint: then nothing is traced, and nothing costs. */
export function startTracing(
  settings: TracingSettings,
  resource: Attributes,
  onError: (error: Error, spans: number) => void,
): Tracing | null {
  const endpoint = settings.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === null) return null
  const exporter = new SpanExporter({
    endpoint,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    resource: { 'service.name': settings.OTEL_SERVICE_NAME, ...resource },
    onError,
  })
  const tracer = new Tracer((span) => exporter.add(span), settings.OTEL_TRACES_SAMPLER_ARG)
  return { tracer, [Symbol.asyncDispose]: () => exporter[Symbol.asyncDispose]() }
}
