/** Generates the AsyncAPI 3.1 document of the channel and pushes from the map of events and the push schemas. */
import type { z } from 'zod'
import { channelExamples } from './channel-examples.ts'
import { describeFields } from './descriptions.ts'
import { type Json, schemasIn } from './json-schemas.ts'
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

/** `serverUrl` is where clients reach the service. */
export const asyncapi = (serverUrl: string): Json => {
  const { protocol, host, hostname, pathname } = new URL(serverUrl)
  const { schemas, schemaOf } = schemasIn()
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
  const platforms = Object.keys(pushes) as PushPlatform[]
  const pushed = Object.fromEntries(
    platforms.map(platform => [
      nameOf(platform),
      {
        name: nameOf(platform),
        title: nameOf(platform),
        summary: aboutPushes[platform].summary,
        contentType: 'application/json',
        payload: schemaOf(pushes[platform], 'output'),
        examples: Object.entries(channelExamples.pushes).map(([kind, seen]) => ({
          name: kind,
          payload: seen[platform],
        })),
      },
    ]),
  )
  const phones = Object.keys(clearings) as ClearedPlatform[]
  const cleared = Object.fromEntries(
    phones.map(platform => [
      nameOf(platform, 'clear'),
      {
        name: nameOf(platform, 'clear'),
        title: nameOf(platform, 'clear'),
        summary:
          'Shows nothing: it removes notifications that were read elsewhere or withdrawn, and updates the badge.',
        contentType: 'application/json',
        payload: schemaOf(clearings[platform], 'output'),
        examples: [{ name: 'clearing', payload: channelExamples.clearings[platform] }],
      },
    ]),
  )
  const messagesOf = (platform: PushPlatform) =>
    [nameOf(platform), nameOf(platform, 'clear')].filter(name => name in pushed || name in cleared)
  for (const [name, schema] of Object.entries(schemas)) describeFields(schema, name)
  const named = (names: readonly string[], at: string) => names.map(name => ({ $ref: `#/${at}/${name}` }))
  const channel = (names: readonly string[], of: Json) => ({
    ...of,
    messages: Object.fromEntries(names.map(name => [name, { $ref: `#/components/messages/${name}` }])),
  })
  const eventNames = Object.keys(events)
  return {
    asyncapi: '3.1.0',
    info: {
      title: 'Afterglow: the realtime channel and the pushes',
      version: interfaceVersion,
      description: about,
      // Every host that takes mail has this mailbox (RFC 5321).
      contact: { name: 'The operator of this service', url: serverUrl, email: `postmaster@${hostname}` },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      tags: [{ name: 'Realtime' }, { name: 'Push' }],
    },
    defaultContentType: 'application/json',
    servers: {
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
    },
    channels: {
      user: channel(eventNames, {
        address: channelPath,
        title: 'Changes that concern the signed-in user',
        servers: [{ $ref: '#/servers/service' }],
      }),
      ...Object.fromEntries(
        platforms.map(platform => [
          platform,
          channel(messagesOf(platform), {
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
        messages: named(eventNames, 'channels/user/messages'),
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
            messages: named(messagesOf(platform), `channels/${platform}/messages`),
          },
        ]),
      ),
    },
    components: { messages: { ...events, ...pushed, ...cleared }, schemas },
  }
}

const nameOf = (platform: PushPlatform, act = 'push') =>
  `${act}On${platform.charAt(0).toUpperCase()}${platform.slice(1)}`
