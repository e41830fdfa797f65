/** Generates the OpenAPI 3.1 document from the operations. */

import { type Json, schemasIn } from './json-schemas.ts'
import { errorSchemas, headers, sharedReplies } from './openapi/components.ts'
import { describeFields } from './openapi/describe-fields.ts'
import { describe } from './openapi/describe-operation.ts'
import { describeStream } from './openapi/describe-stream.ts'
import { operationsBySlice } from './operations.ts'
import { entriesOfSlices, type SliceName, slices } from './slices.ts'
import { streams } from './streams.ts'
import { interfaceVersion } from './version.ts'

const aboutAt = (serverUrl: string) => `Events with guests, a group chat and a shared gallery.

Lists take \`page\` and \`page_length\`; \`?include=extra\` adds fields beyond the documented shapes. Every reply carries \`X-Interface\`. Every refusal carries a machine-readable code in \`X-Refusal\`; bodies are for people. Additions raise the minor version; nothing is removed within version 1.

The operations of the documented interface are marked \`x-documented-interface\`; where that interface is open, [our reading](${serverUrl}/docs/readings) says how it is understood. The realtime channel is described by [AsyncAPI](${serverUrl}/api/asyncapi.json), every code of \`X-Refusal\` by [its page](${serverUrl}/docs/refusals).

The examples are real requests and replies, recorded in the tests.`

/** `serverUrl` is what the paths are relative to. */
export const openapi = (serverUrl: string): Json => {
  const { schemas, schemaOf } = schemasIn({ ...errorSchemas })
  const paths: Record<string, Json> = {}
  const put = (path: string, method: string, described: Json) => {
    paths[`/${path}`] = { ...paths[`/${path}`], [method.toLowerCase()]: described }
  }
  for (const [slice, operations] of Object.entries(operationsBySlice)) {
    const tag = slices[slice as SliceName].tag.name
    for (const operation of operations.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
      operation.at.forEach((address, index) => {
        const [method, path] = address
        put(path, method, { tags: [tag], ...describe(operation, address, index, { slice, serverUrl, schemaOf }) })
      })
  }
  for (const stream of streams)
    put(stream.at[1], stream.at[0], { tags: [slices.gallery.tag.name], ...describeStream(stream) })
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
    tags: entriesOfSlices.map(([, { tag }]) => tag),
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
