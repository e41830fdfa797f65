/** Generates the AsyncAPI 3.1 document of the channel and pushes from the map of events and the push schemas. */
import type { z } from 'zod'
import { channelExamples } from './channel-examples.ts'
import { type Json, schemasIn } from './json-schemas.ts'
import { describeFields } from './openapi/describe-fields.ts'
import { type ClearedPlatform, clearings, type PushPlatform, pushes } from './pushes.ts'
import {
  ChannelMeta,
  ChannelReady,
  channelEvents,
  channelMessageBytesMax,
  channelPath,
  channelSocketsPerUser,
} from './realtime.ts'
import { interfaceVersion } from './version.ts'

const about = `Socket.IO (protocol 5): path \`${channelPath}\`, namespace \`/\`, and \`transports: ['websocket']\`, because it does not answer the long polling that most libraries begin with. Send the bearer token in the handshake: \`auth: { token }\`. An invalid token is refused with \`data: { status: 401 }\`. The first event is \`ready\`. Every other event carries a resource, followed by its cursor. After a lost connection, \`GET /api/realtime/sync?cursor=…&until=…\`, with the cursors of the last event and of \`ready\`, returns what was missed. Where no WebSocket gets through, a client asks the same every few seconds while its app is in view, within the limit of 120 a minute. Clients only send the acknowledgements that \`notification.created\` asks for; all changes are made over HTTP. Each user may have at most ${channelSocketsPerUser} sockets, and a message to the service may have at most ${channelMessageBytesMax} bytes.`

const aboutPushes: Record<PushPlatform, { address: string; summary: string }> = {
  web: {
    address: 'Endpoint of the subscription.',
    summary: 'The payload that a service worker decrypts (RFC 8291).',
  },
  android: { address: 'Token of the device.', summary: 'The message that FCM hands to an Android app.' },
  ios: { address: 'Token of the device.', summary: 'The payload that APNs hands to an iOS app.' },
}

type SchemaOf = ReturnType<typeof schemasIn>['schemaOf']

/** Socket events by name. */
const eventMessages = (schemaOf: SchemaOf): Json => {
  const events: Json = {}
  for (const [name, payload] of Object.entries({ ready: ChannelReady, ...channelEvents })) {
    const told = name === 'ready' ? [payload] : [payload, ChannelMeta]
    const seen = channelExamples.events[name]
    events[name] = {
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
      ...(seen && { examples: [{ name, payload: seen }] }),
    }
  }
  return events
}

const platforms = Object.keys(pushes) as PushPlatform[]
const clearedPlatforms = Object.keys(clearings) as ClearedPlatform[]

const messageNamed = (name: string, message: Json) => [
  name,
  { name, title: name, contentType: 'application/json', ...message },
]

/** One push and, where a platform has it, one that removes what was read, by name. */
const pushMessages = (schemaOf: SchemaOf): Json =>
  Object.fromEntries([
    ...platforms.map(platform =>
      messageNamed(nameOf(platform), {
        summary: aboutPushes[platform].summary,
        payload: schemaOf(pushes[platform], 'output'),
        examples: Object.entries(channelExamples.pushes).map(([kind, seen]) => ({
          name: kind,
          payload: seen[platform],
        })),
      }),
    ),
    ...clearedPlatforms.map(platform =>
      messageNamed(nameOf(platform, 'clear'), {
        summary:
          'Shows nothing: it removes notifications that were read elsewhere or withdrawn, and updates the badge.',
        payload: schemaOf(clearings[platform], 'output'),
        examples: [{ name: 'clearing', payload: channelExamples.clearings[platform] }],
      }),
    ),
  ])

const serversOf = ({ protocol, host, pathname }: URL): Json => ({
  service: {
    host,
    ...(pathname !== '/' && { pathname }),
    protocol: protocol === 'https:' ? 'wss' : 'ws',
    security: [{ type: 'http', scheme: 'bearer' }],
  },
  web: {
    host: '{service}',
    protocol: 'https',
    description: 'The push service of the subscribed browser.',
    variables: {
      service: { default: 'updates.push.services.mozilla.com', description: 'Host name from the subscription.' },
    },
  },
  android: { host: 'fcm.googleapis.com', protocol: 'https' },
  ios: { host: 'api.push.apple.com', protocol: 'https' },
})

const channelWith = (names: readonly string[], channel: Json) => ({
  ...channel,
  messages: Object.fromEntries(names.map(name => [name, { $ref: `#/components/messages/${name}` }])),
})
const namesIn = (names: readonly string[], channel: string) =>
  names.map(name => ({ $ref: `#/channels/${channel}/messages/${name}` }))

/** `serverUrl` is where clients reach the service. */
export const asyncapi = (serverUrl: string): Json => {
  const url = new URL(serverUrl)
  const { schemas, schemaOf } = schemasIn()
  const events = eventMessages(schemaOf)
  const pushed = pushMessages(schemaOf)
  for (const [name, schema] of Object.entries(schemas)) describeFields(schema, name)
  const eventNames = Object.keys(events)
  const messagesOf = (platform: PushPlatform) =>
    [nameOf(platform), nameOf(platform, 'clear')].filter(name => name in pushed)
  return {
    asyncapi: '3.1.0',
    info: {
      title: 'Afterglow: the realtime channel and the pushes',
      version: interfaceVersion,
      description: about,
      // Every host that takes mail has this mailbox (RFC 5321).
      contact: { name: 'The operator of this service', url: serverUrl, email: `postmaster@${url.hostname}` },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      tags: [{ name: 'Realtime' }, { name: 'Push' }],
    },
    defaultContentType: 'application/json',
    servers: serversOf(url),
    channels: {
      user: channelWith(eventNames, {
        address: channelPath,
        title: 'Changes that concern the signed-in user',
        servers: [{ $ref: '#/servers/service' }],
      }),
      ...Object.fromEntries(
        platforms.map(platform => [
          platform,
          channelWith(messagesOf(platform), {
            address: null,
            title: nameOf(platform),
            description: aboutPushes[platform].address,
            servers: [{ $ref: `#/servers/${platform}` }],
          }),
        ]),
      ),
    },
    operations: {
      tell: {
        action: 'send',
        summary: 'The service notifies a client of changes.',
        description: 'Sent over the socket while the app is open.',
        channel: { $ref: '#/channels/user' },
        messages: namesIn(eventNames, 'user'),
      },
      ...Object.fromEntries(
        platforms.map(platform => [
          `ringOn${nameOf(platform).slice('pushOn'.length)}`,
          {
            action: 'send',
            summary: aboutPushes[platform].summary,
            description:
              'One message covers every kind of notification; the kind is in the payload. Another message removes notifications that have been read.',
            channel: { $ref: `#/channels/${platform}` },
            messages: namesIn(messagesOf(platform), platform),
          },
        ]),
      ),
    },
    components: { messages: { ...events, ...pushed }, schemas },
  }
}

const nameOf = (platform: PushPlatform, act = 'push') =>
  `${act}On${platform.charAt(0).toUpperCase()}${platform.slice(1)}`
