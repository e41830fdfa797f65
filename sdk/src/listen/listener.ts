import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type Happening, verifyWebhook, WebhookRefused, webhookBodyBytesMax } from '../webhooks.ts'

const idsKeptMax = 10_000

export type Listening = {
  secrets: readonly string[]
  /** Each authentic new one, once. */
  hear(happening: Happening): void
  /** A line about a discarded one: a duplicate, or one that cannot be trusted. */
  note(line: string): void
}

/**
 * A receiver of webhooks: verifies, discards duplicates, consents to more, answers 204, or 400 with the reason. It does
 * not listen yet.
 */
export const openListener = ({ secrets, hear, note }: Listening): Server => {
  const seen = new Set<string>()

  const take = async (request: IncomingMessage) => {
    const body = await bodyOf(request)
    const happening = await verifyWebhook({ headers: request.headers, body, secrets })
    if (seen.has(happening.id)) {
      note(`again ${happening.id}`)
      return happening.id
    }
    seen.add(happening.id)
    for (const oldest of seen) {
      if (seen.size <= idsKeptMax) break
      seen.delete(oldest)
    }
    hear(happening)
    return happening.id
  }

  return createServer((request, reply) => {
    if (request.method !== 'POST') return void reply.writeHead(405, { Allow: 'POST' }).end()
    take(request).then(
      id => reply.writeHead(204, { 'Webhook-Consent': id }).end(),
      fault => {
        const why = fault instanceof WebhookRefused ? fault.fault : 'fault'
        note(`refused: ${why}`)
        reply.writeHead(why === 'fault' ? 500 : 400, { Connection: 'close' }).end(why)
      },
    )
  })
}

const bodyOf = async (request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> => {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > webhookBodyBytesMax) throw new WebhookRefused('tooLarge')
    pieces.push(piece)
  }
  return new Uint8Array(Buffer.concat(pieces))
}
