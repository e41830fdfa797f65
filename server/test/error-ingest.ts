import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { whenDone } from './when-done.ts'

type Frame = { filename: string; function?: string; lineno: number }
export type ErrorEvent = {
  level: string
  tags: Record<string, string>
  exception: { values: { type: string; value: string; stacktrace: { frames: Frame[] } }[] }
}

/**
 * An error-tracking server that accepts reports as Sentry does: `raw` is every byte received, `events` their contents.
 */
export const openErrorIngest = async () => {
  const received: { raw: string; events: ErrorEvent[] } = { raw: '', events: [] }
  const ingest = createServer(async (request, reply) => {
    const body = await buffer(request)
    const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
    received.raw += `${request.url}\n${JSON.stringify(request.headers)}\n${text}\n`
    const [, ...items] = text.trim().split('\n')
    for (let at = 0; at + 1 < items.length; at += 2)
      if (JSON.parse(items[at] as string).type === 'event') received.events.push(JSON.parse(items[at + 1] as string))
    reply.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  ingest.listen(0, '127.0.0.1')
  await once(ingest, 'listening')
  whenDone(() => {
    ingest.closeAllConnections()
    ingest.close()
  })
  const { port } = ingest.address() as { port: number }
  return { dsn: `http://public@127.0.0.1:${port}/7`, received }
}
