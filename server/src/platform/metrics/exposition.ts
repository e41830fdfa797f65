import { figuresOf, type MetricSources } from './figures.ts'

/** Produces the text that Prometheus scrapes. */
export const openExposition = async (measured: MetricSources): Promise<{ type: string; text(): Promise<string> }> => {
  const { collectDefaultMetrics, Gauge } = await import('prom-client')
  const { registry } = measured.counts
  // The process: CPU, memory, garbage collection, event-loop delay.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 10 })
  // Gauges with the name of a counter, which promtool rejects; each has a twin by type.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`)

  for (const { name, help, labelNames = [], read } of figuresOf(measured)) {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        this.reset()
        // Without labels, a reset figure stands at 0, which is not what is known.
        if (labelNames.length === 0) this.remove()
        for (const [value, labels] of (await read()) ?? []) this.inc(labels ?? {}, value)
      },
    })
  }
  return { type: registry.contentType, text: () => registry.metrics() }
}
