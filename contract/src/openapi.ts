/** Generates the OpenAPI 3.1 document from the operations. */

import { type Json, schemasIn } from './json-schemas.ts'
import { errorSchemas, headers, sharedReplies } from './openapi/components.ts'
import { describeFields } from './openapi/describe-fields.ts'
import { describe } from './openapi/describe-operation.ts'
import { describeStream } from './openapi/describe-stream.ts'
import { operationsBySlice } from './operations.ts'
import { streams } from './streams.ts'
import { interfaceVersion } from './version.ts'

const tags: Record<keyof typeof operationsBySlice, { name: string; description: string }> = {
  accounts: { name: 'Accounts', description: 'Registration, sign-in, the account and its devices.' },
  providers: {
    name: 'Sign-in with a provider',
    description: 'Sign-in with Google, Apple, Facebook and OpenID providers.',
  },
  recovery: { name: 'E-mail and forgotten passwords', description: 'E-mail verification and password reset.' },
  returns: { name: 'Coming back', description: 'How guests without a password come back as themselves.' },
  transfers: { name: 'Another device', description: 'Signing in on another device with a code.' },
  notifications: {
    name: 'Notifications and realtime',
    description: 'Notifications, the realtime channel, catching up on missed changes, and pushes.',
  },
  events: { name: 'Events', description: 'Events, their guests, join requests and invitations.' },
  announcements: { name: 'Announcements', description: 'Announcements from organizers to everyone in an event.' },
  links: { name: 'Joining by link', description: 'Invitation links and QR codes.' },
  plans: { name: 'Plans', description: 'Events in one’s own calendar.' },
  people: { name: 'People', description: 'Search, friends, blocks and reports.' },
  gallery: { name: 'Gallery', description: 'The photos and videos of an event, and their comments.' },
  chats: { name: 'Group chats', description: 'The chat of an event.' },
  polls: { name: 'Polls', description: 'Questions in a chat, on which people vote.' },
  wall: { name: 'Live wall', description: 'What the screens of an event show, and their remote control.' },
  privacy: { name: 'Data export and account deletion', description: 'Exporting one’s data and deleting the account.' },
  webhooks: {
    name: 'Webhooks',
    description: 'Signed HTTP callbacks for what happens in an event or the whole service.',
  },
}

const aboutAt = (serverUrl: string) => `Events with guests, a group chat and a shared gallery.

Lists take \`page\` and \`page_length\`; \`?include=extra\` adds fields beyond the documented shapes. Every reply carries \`X-Interface\`. Every refusal carries a machine-readable code in \`X-Refusal\`; bodies are for people. Additions raise the minor version; nothing is removed within version 1.

The operations of the documented interface are marked \`x-documented-interface\`; where that interface is open, [our reading](${serverUrl}/docs/readings) says how it is understood. The realtime channel is described by [AsyncAPI](${serverUrl}/api/asyncapi.json), every code of \`X-Refusal\` by [its page](${serverUrl}/docs/refusals).

The examples are real replies, recorded in the tests.`

/** `serverUrl` is what the paths are relative to. */
export const openapi = (serverUrl: string): Json => {
  const { schemas, schemaOf } = schemasIn({ ...errorSchemas })
  const paths: Record<string, Json> = {}
  const put = (path: string, method: string, described: Json) => {
    paths[`/${path}`] = { ...paths[`/${path}`], [method.toLowerCase()]: described }
  }
  for (const [slice, operations] of Object.entries(operationsBySlice)) {
    const tag = tags[slice as keyof typeof tags].name
    for (const operation of operations.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
      operation.at.forEach(([method, path], index) => {
        put(path, method, { tags: [tag], ...describe(operation, method, path, index, schemaOf) })
      })
  }
  for (const stream of streams)
    put(stream.at[1], stream.at[0], { tags: [tags.gallery.name], ...describeStream(stream) })
  for (const [name, schema] of Object.entries(schemas)) describeFields(schema, name)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Afterglow',
      version: interfaceVersion,
      summary: 'The service behind a social event app.',
      description: aboutAt(serverUrl),
      contact: { name: 'The operator of this service', url: serverUrl },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: serverUrl, description: 'This service.' },
      {
        url: 'https://{host}',
        description: 'Another instance.',
        variables: { host: { default: 'party.example', description: 'Host name of the instance.' } },
      },
    ],
    security: [{ bearer: [] }],
    tags: Object.values(tags),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The `token` returned by registration and sign-in.' },
      },
      headers,
      responses: sharedReplies,
      schemas,
    },
  }
}
