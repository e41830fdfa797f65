import fc from 'fast-check'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { readBodies } from './bodies.ts'
import { openOpenBodies } from './open-bodies.ts'

const bytesMax = 1_000_000
const server = Fastify()
readBodies(server, {
  receive: () => Promise.reject(new Error('takes no files')),
  limits: { uploadBytesMax: bytesMax, avatarBytesMax: bytesMax } as never,
  bodies: openOpenBodies(),
})
server.post('/', async ({ body }) => (body as { fields: unknown }).fields)
const url = await server.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => server.close())

/** Posts a body and returns how it was parsed. */
const read = async (body: BodyInit, type?: string) => {
  const reply = await fetch(url, { method: 'POST', body, headers: type ? { 'Content-Type': type } : {} })
  expect(reply.status).toBe(200)
  return reply.json()
}
const part = (name: string, value: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

test('a browser’s form is parsed to its exact values', async () => {
  const name = fc.stringMatching(/^\w{1,20}$/).filter(name => name !== '__proto__')
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(name, fc.string({ unit: 'binary' }), { minKeys: 1, noNullPrototype: true }),
      async fields => {
        const form = new FormData()
        for (const [key, value] of Object.entries(fields)) form.append(key, value)
        expect(await read(form)).toEqual(Object.fromEntries([...(await new Response(form).formData()).entries()]))
      },
    ),
  )
})

test('the parser understands lists, repeats and quoted boundaries', async () => {
  const type = 'multipart/form-data;boundary="x"'
  expect(await read(`${part('a[]', '1')}${part('b', '2')}${part('b', '3')}--x--\r\n`, type)).toEqual({
    a: ['1'],
    b: '3',
  })
  expect(await read(`${part('a', '')}--x--\r\n`, type)).toEqual({ a: '' })
  expect(await read(`${part('__proto__', '1')}--x--\r\n`, type)).toEqual({})
})
