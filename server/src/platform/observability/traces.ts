import { createRequire } from 'node:module'
import type { Context, Tracer } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node'
import type { FastifyInstance } from 'fastify'
import { version } from '../process/version.ts'

export type Traces = {
  /** Makes a span of each request, named after its operation. */
  ofRequests(server: FastifyInstance): void
  /** The same tasks, each run a span of its own. */
  ofJobs<Tasks extends Record<string, Task>>(tasks: Tasks): Tasks
  /** Sends what waits. */
  close(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: each task has a payload of its own.
type Task = (...args: any[]) => Promise<unknown>

/*
 * Everything else that a library notes of a request, a statement or a fault may be somebody's words, a token or the code of
 * a link: a path, a parameter, the message of an exception.
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
 * Opens traces to a collector that speaks OTLP over HTTP, at `<endpoint>/v1/traces`: requests, jobs, and the statements of
 * both. How much is sampled, and with which headers it is sent, is set by the variables of OpenTelemetry.
 */
export const openTraces = async (endpoint: string): Promise<Traces> => {
  // Loaded where they are switched on only.
  const { context, SpanKind, SpanStatusCode, trace } = await import('@opentelemetry/api')
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
    // Only what a request or a job asks: looks at the log would be most of all spans.
    instrumentations: [new PgInstrumentation({ requireParentSpan: true })],
  })
  // It patches what is required, and the class of connections is the same for who imports it.
  createRequire(import.meta.url)('pg')

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
        return [name, run]
      })
      return Object.fromEntries(traced)
    },
    close: () => provider.shutdown(),
  }
}
