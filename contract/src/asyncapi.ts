/** The channel as an AsyncAPI 3.0 document, made from the map of its events. */
import type { z } from 'zod'
import { type Json, schemasIn } from './json-schemas.ts'
import {
  ChannelMeta,
  ChannelReady,
  channelEvents,
  channelMessageBytesMax,
  channelPath,
  channelSocketsPerUser,
} from './realtime.ts'

const about = `Socket.IO (protocol 5) over WebSocket. The bearer token goes into the handshake: \`auth: { token }\`; a token that does not live is refused with \`data: { status: 401 }\`. The first event is \`ready\`. Every other event carries a resource and, behind it, its cursor: after a lost connection \`GET /api/realtime/sync?cursor=…&until=…\`, with the cursors of the last event and of \`ready\`, gives what was missed. Nothing is sent to the service but acknowledgements, which \`notification.created\` asks for: state changes over HTTP. A user has at most ${channelSocketsPerUser} sockets, a message to the service at most ${channelMessageBytesMax} bytes.`

/** `serverUrl` is the origin of the service. */
export const asyncapi = (serverUrl: string): Json => {
  const { protocol, host } = new URL(serverUrl)
  const { schemas, schemaOf } = schemasIn()
  const messages: Json = {}
  for (const [name, payload] of Object.entries({ ready: ChannelReady, ...channelEvents })) {
    const told = name === 'ready' ? [payload] : [payload, ChannelMeta]
    messages[name] = {
      name,
      title: name,
      contentType: 'application/json',
      payload: {
        type: 'array',
        description: 'The arguments of the Socket.IO event, in order.',
        items: told.map(type => schemaOf(type as z.ZodType, 'output')),
        additionalItems: false,
        minItems: told.length,
      },
    }
  }
  const names = Object.keys(messages)
  return {
    asyncapi: '3.0.0',
    info: { title: 'Afterglow: the realtime channel', version: '1', description: about },
    defaultContentType: 'application/json',
    servers: {
      service: { host, protocol: protocol === 'https:' ? 'wss' : 'ws', security: [{ type: 'http', scheme: 'bearer' }] },
    },
    channels: {
      user: {
        address: channelPath,
        title: 'What concerns the signed-in user',
        messages: Object.fromEntries(names.map(name => [name, { $ref: `#/components/messages/${name}` }])),
      },
    },
    operations: {
      tell: {
        action: 'send',
        summary: 'The service tells a client what happens.',
        channel: { $ref: '#/channels/user' },
        messages: names.map(name => ({ $ref: `#/channels/user/messages/${name}` })),
      },
    },
    components: { messages, schemas },
  }
}
