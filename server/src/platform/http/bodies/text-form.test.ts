import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTextForm } from './text-form.ts'

const typeOf = (boundary: string) => `multipart/form-data; boundary=${boundary}`
const read = (text: string, type = typeOf('x')) => readTextForm(type, Buffer.from(text))
const part = (headers: string, value: string) => `--x\r\n${headers}\r\n\r\n${value}\r\n`
const field = (name: string, value: string) => part(`Content-Disposition: form-data; name="${name}"`, value)

test('a form as a browser makes it is read for what was put in, whatever that is', async () => {
  const name = fc.stringMatching(/^\w{1,20}$/).filter(name => name !== '__proto__')
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(name, fc.string({ unit: 'binary' }), { minKeys: 1, noNullPrototype: true }),
      async fields => {
        const form = new FormData()
        for (const [key, value] of Object.entries(fields)) form.append(key, value)
        const sent = new Response(form)
        const expected = Object.fromEntries([...(await new Response(form).formData()).entries()])
        const type = sent.headers.get('content-type') as string
        expect(readTextForm(type, Buffer.from(await sent.arrayBuffer()))).toEqual(expected)
      },
    ),
  )
})

test('lists, repeats and quoted boundaries are understood', () => {
  expect(read(`${field('a[]', '1')}${field('b', '2')}${field('b', '3')}--x--`)).toEqual({ a: ['1'], b: '3' })
  expect(read(`${field('a', '')}--x--\r\n`, 'multipart/form-data;boundary="x"')).toEqual({ a: '' })
  expect(read(`${field('__proto__', '1')}--x--\r\n`)).toEqual({})
})

describe('left to the streaming parser is', () => {
  const file = 'Content-Disposition: form-data; name="a"; filename="a.jpg"\r\nContent-Type: image/jpeg'
  test.each([
    ['a file', `${part(file, 'bytes')}--x--\r\n`],
    ['a part with a type', `${part('Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain', '1')}--x--`],
    [
      'another encoding',
      `${part('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64', '1')}--x--`,
    ],
    ['a name with quotes', `${part('Content-Disposition: form-data; name="a\\"b"', '1')}--x--`],
    ['no end', field('a', '1')],
    ['half an end', `${field('a', '1')}--x-`],
    ['something behind the end', `${field('a', '1')}--x--\r\n${field('b', '2')}`],
    ['a preamble', `hello\r\n${field('a', '1')}--x--\r\n`],
    ['nothing at all', ''],
    ['no part', '--x--\r\n'],
    ['a part without headers', '--x\r\n\r\n\r\n1\r\n--x--\r\n'],
    [
      'a part that the next one interrupts',
      `--x\r\nContent-Disposition: form-data; name="a"\r\n--x--\r\n\r\n\r\n--x--`,
    ],
    ['a longer boundary', `${field('a', '1').replace('--x', '--xy')}--x--\r\n`],
    ['very many parts', `${field('a', '1').repeat(51)}--x--\r\n`],
  ])('%s', (_, text) => {
    expect(read(text)).toBeUndefined()
  })

  test('a form whose type names no boundary of ours', () => {
    for (const type of ['multipart/form-data', typeOf(''), typeOf('ü'), typeOf('x; charset=utf-8'), typeOf('y')])
      expect(read(`${field('a', '1')}--x--\r\n`, type)).toBeUndefined()
  })
})
