import type { RecordedRequest } from '../examples.ts'
import type { Json } from '../json-schemas.ts'
import type { Route } from '../route.ts'

/** All fields of a recorded request, wherever they stand in it. */
export const fieldsOf = ({ at: [address] }: Pick<Route, 'at'>, { path, body }: RecordedRequest): Json => {
  const { pathname, searchParams } = new URL(path, 'https://party.example')
  const template = `/${address?.[1]}`.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  const groups = new RegExp(`${template}/?$`).exec(pathname)?.groups ?? {}
  const inAddress = Object.entries({ ...groups, ...Object.fromEntries(searchParams) })
  return { ...Object.fromEntries(inAddress.map(([name, text]) => [name, scalarOf(decodeURIComponent(text))])), ...body }
}

const scalarOf = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : text)

/** The recorded request as one pastes it: for a shell, and with the SDK. */
export const codeSamples = (operation: Route, slice: string, request: RecordedRequest, serverUrl: string) => [
  { lang: 'Shell', label: 'curl', source: curlOf(operation, request, serverUrl) },
  ...(slice === 'webhooks' ? [] : [{ lang: 'TypeScript', label: 'SDK', source: sdkCall(operation, slice, request) }]),
]

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const curlOf = ({ at: [address], open, files }: Route, { path, body }: RecordedRequest, serverUrl: string) => {
  const [method] = address as Route['at'][number]
  return [
    `curl -X ${method} ${quoted(serverUrl + path)}`,
    ...(open === true ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(body && !files ? ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`] : []),
    ...(body && files ? formFields(body, files) : []),
  ].join(' \\\n  ')
}

const formFields = (body: Json, files: NonNullable<Route['files']>) =>
  Object.entries(body).flatMap(([name, value]) =>
    [value]
      .flat()
      .map(each => `-F ${quoted(`${name}${Array.isArray(value) ? '[]' : ''}=${name in files ? '@' : ''}${each}`)}`),
  )

/** A form writes an object as JSON, which the SDK does itself. */
const objectOf = (_: string, value: unknown) =>
  typeof value === 'string' && value.startsWith('{"') ? JSON.parse(value) : value

const sdkCall = (operation: Route, slice: string, request: RecordedRequest) => {
  const { include: _, ...fields } = fieldsOf(operation, request)
  const shown = Object.entries(fields).map(([name, value]) =>
    name in (operation.files ?? {})
      ? `${name}: ${Array.isArray(value) ? '[file]' : 'file'}`
      : `${name}: ${JSON.stringify(value, objectOf)}`,
  )
  return `await api.${slice}.${operation.name}(${shown.length > 0 ? `{ ${shown.join(', ')} }` : ''})`
}
