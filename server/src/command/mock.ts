import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { examples } from '@afterglow/contract/examples'
import { operations } from '@afterglow/contract/operations'
import { generalCodes, invalidCode } from '@afterglow/contract/refusal-codes'
import type { Refusal, Route } from '@afterglow/contract/route'
import { type ValidationBody, validationBody } from '@afterglow/contract/sentences'
import { interfaceVersion } from '@afterglow/contract/version'
import type { Command } from 'commander'
import type { z } from 'zod'
import type { Answer } from './answer.ts'

type Reply = { status: number; body: unknown; code?: string }

/** `afterglow mock`: returns replies recorded in the tests, without state and without dependencies. */
export const mockCommand = (
  program: Command,
  run: (work: () => Promise<Answer>) => Promise<void>,
  say: (words: string) => void,
) => {
  program
    .command('mock')
    .description(
      'Answers every operation with an example of the contract, without any database: for building a client. A request is checked as by the service; with X-Mock-Refusal: <code> it is refused so.',
    )
    .option('--port <port>', 'where to listen on the loopback', '3100')
    .action(({ port }: { port: string }) =>
      run(async () => {
        const server = openMock()
        await new Promise<void>((resolve, reject) => {
          server.once('error', reject).listen(Number(port), '127.0.0.1', resolve)
        })
        say(`Answers on http://127.0.0.1:${(server.address() as AddressInfo).port} until it is stopped.`)
        await new Promise(resolve => server.once('close', resolve))
        return { say: 'Stopped.', json: {} }
      }),
    )
}

export const openMock = (): Server =>
  createServer((request, reply) => {
    void answer(request)
      .catch((): Reply => ({ status: 400, body: { error_message: 'The request cannot be read.' } }))
      .then(answered => send(reply, answered))
  })

const routes = operations
  .flatMap(operation => operation.at.map(([method, path]) => ({ operation, method, path, pattern: patternOf(path) })))
  // A literal path segment takes precedence over a parameter.
  .sort((one, other) => one.path.split('{').length - other.path.split('{').length)

function patternOf(path: string) {
  return new RegExp(`^/${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`)
}

const answer = async (request: IncomingMessage): Promise<Reply> => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://mock')
  const route = routes.find(({ method, pattern }) => method === request.method && pattern.test(pathname))
  if (!route) return { status: 404, body: 'Not found!' }
  const { operation, pattern } = route
  if (operation.open !== true && !/^Bearer \S+$/.test(request.headers.authorization ?? ''))
    return { status: 401, body: { message: 'Unauthenticated.' } }
  const refused = refusalOf(operation, request.headers['x-mock-refusal'])
  if (refused) return refused
  const { fields, files } = await bodyOf(request)
  const problems = faultsOf(
    operation,
    { ...Object.fromEntries(searchParams), ...fields, ...pattern.exec(pathname)?.groups },
    files,
  )
  if (problems) return { status: 400, body: problems, code: invalidCode }
  const { replies = {} } = examples[operation.name] ?? {}
  const status = operation.creates201 && 201 in replies && fields.event_photo_comment_id === undefined ? 201 : 200
  return { status, body: replies[status] ?? {} }
}

const refusalOf = ({ refusals }: Route, asked: string | string[] | undefined): Reply | undefined => {
  if (typeof asked !== 'string') return undefined
  const general = Object.entries(generalCodes).find(([, code]) => code === asked)
  if (general) return { status: Number(general[0]), body: { message: asked }, code: asked }
  const refusal: Refusal | undefined = refusals[asked]
  if (!refusal) return { status: 400, body: { error_message: `This operation is never refused as ${asked}.` } }
  const { status, ...body } = refusal
  return { status, body: 'text' in refusal ? refusal.text : body, code: asked }
}

type MockInput = { fields: Record<string, unknown>; files: Set<string> }

const bodyOf = async (request: IncomingMessage): Promise<MockInput> => {
  const bytes = await buffer(request)
  const { 'content-type': type = '' } = request.headers
  if (bytes.length === 0) return { fields: {}, files: new Set() }
  if (type.startsWith('application/json')) return { fields: Object(JSON.parse(bytes.toString())), files: new Set() }
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  const fields: Record<string, unknown> = {}
  const files = new Set<string>()
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = value
    else files.add(name.replace(/\[\d*\]$/, ''))
  }
  return { fields, files }
}

const faultsOf = (operation: Route, raw: Record<string, unknown>, files: Set<string>): ValidationBody | undefined => {
  const missing = Object.entries(operation.files ?? {}).filter(
    ([name, { required }]) => required === true && !files.has(name),
  )
  const checked = (operation.input as z.ZodType).safeParse(raw)
  const problems: ValidationBody = checked.success ? {} : validationBody(checked.error, raw)
  for (const [name] of missing) problems[name] = [`The ${name.replaceAll('_', ' ')} field is required.`]
  return Object.keys(problems).length > 0 ? problems : undefined
}

const send = (reply: ServerResponse, { status, body, code }: Reply) => {
  const plain = typeof body === 'string'
  reply.writeHead(status, {
    'Content-Type': plain ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
    'X-Interface': interfaceVersion,
    'Access-Control-Allow-Origin': '*',
    ...(status >= 400 && { 'X-Refusal': code ?? generalCodes[status as keyof typeof generalCodes] }),
  })
  reply.end(plain ? body : JSON.stringify(body))
}
