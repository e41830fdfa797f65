import { createRequire } from 'node:module'
import type { Context, Tracer } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node'
import type { FastifyInstance } from 'fastify'
import { version } from '../process/version.ts'

export type Traces = {
  /** Creates a span for each request, named after its operation. */
  ofRequests(server: FastifyInstance): void
  /** The same tasks, each run as a span of its own. */
  ofJobs<Tasks extends Record<string, Task>>(tasks: Tasks): Tasks
  /** Sends what is waiting. */
  close(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: each task has a payload of its own.
type Task = (...args: any[]) => Promise<unknown>

/*
 * Everything else that a library records about a request, a statement or an error may contain personal text, a token or
 * a link's code: a path, a parameter, the message of an exception.
 */
const told = new Set([
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'afterglow.request_id',
  'db.system',
  'db.system.name',
  'db.statement',
  'db.query.text',
  'db.response.status_code',
  'error.type',
])

const withoutWords = (span: ReadableSpan): ReadableSpan =>
  Object.create(span, {
    attributes: { value: Object.fromEntries(Object.entries(span.attributes).filter(([name]) => told.has(name))) },
    events: { value: [] },
    status: { value: { code: span.status.code } },
  })

/**
 * Opens tracing to a collector that speaks OTLP over HTTP, at `<endpoint>/v1/traces`: requests, jobs, and the
 * statements of both. Sampling and headers are configured by OpenTelemetry's variables.
 */
export const openTraces = async (endpoint: string): Promise<Traces> => {
  // Only loaded if switched on.
  const { context, SpanKind, SpanStatusCode, trace } = await import('@opentelemetry/api')
  const provider = await openProvider(endpoint)
  const tracer: Tracer = provider.getTracer('afterglow', version)
  const within = (name: string, kind: number): { span: ReturnType<Tracer['startSpan']>; inside: Context } => {
    const span = tracer.startSpan(name, { kind })
    return { span, inside: trace.setSpan(context.active(), span) }
  }

  return {
    ofRequests(server) {
      server.addHook('onRequest', (request, reply, done) => {
        const { config, url } = request.routeOptions
        const { span, inside } = within(
          config.operation?.name ?? `${request.method} ${url ?? 'unknown'}`,
          SpanKind.SERVER,
        )
        span.setAttributes({
          'http.request.method': request.method,
          'http.route': url ?? '',
          'afterglow.request_id': request.id,
        })
        reply.raw.once('close', () => {
          span.setAttribute('http.response.status_code', reply.statusCode)
          if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        })
        context.with(inside, done)
      })
    },
    ofJobs(tasks) {
      const traced = Object.entries(tasks).map(([name, task]) => {
        const run: Task = (...args) => {
          const { span, inside } = within(`job ${name}`, SpanKind.CONSUMER)
          const failed = (fault: unknown) => {
            span.setStatus({ code: SpanStatusCode.ERROR })
            throw fault
          }
          return context.with(inside, () =>
            task(...args)
              .catch(failed)
              .finally(() => span.end()),
          )
        }
        return [name, Object.assign(run, task)]
      })
      return Object.fromEntries(traced)
    },
    close: () => provider.shutdown(),
  }
}

/** Sends spans to the collector, those of statements among them. */
const openProvider = async (endpoint: string) => {
  const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const { resourceFromAttributes } = await import('@opentelemetry/resources')
  const { registerInstrumentations } = await import('@opentelemetry/instrumentation')
  const { PgInstrumentation } = await import('@opentelemetry/instrumentation-pg')

  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'afterglow', 'service.version': version }),
    spanProcessors: [
      new BatchSpanProcessor({
        export: (spans, done) => exporter.export(spans.map(withoutWords), done),
        shutdown: () => exporter.shutdown(),
        forceFlush: () => exporter.forceFlush(),
      }),
    ],
  })
  provider.register()
  registerInstrumentations({
    tracerProvider: provider,
    // Only statements of requests and jobs: polling the log would produce most of all spans.
    instrumentations: [new PgInstrumentation({ requireParentSpan: true })],
  })
  // It patches modules loaded with require, and the class of connections is the same when imported.
  createRequire(import.meta.url)('pg')
  return provider
}
