import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { FileTooLarge, type ReceivedFile } from '../media/incoming.ts'
import { addField, type Body, bodyOf, discard, formBytesMax, plainName } from './body.ts'
import { Unreadable } from './refusals.ts'

/** Streams one file to a temporary. Throws FileTooLarge, with the stream left to drain. */
export type Receive = (stream: Readable, limits: { bytesMax: number }) => Promise<ReceivedFile>

export type FileLimits = { photoBytesMax: number; attachmentBytesMax: number; videoBytesMax: number }

const partLimits = { fields: 100, files: 32, parts: 128, fieldSize: formBytesMax, fieldNameSize: 100, headerPairs: 50 }

/**
 * Reads a form as it arrives: fields into memory, the operation's files to temporaries, other files away.
 * It settles when every file is safe; when anything fails, with every temporary removed.
 */
export const readMultipart = async (
  request: FastifyRequest,
  stream: Readable,
  receive: Receive,
  limits: FileLimits,
): Promise<Body> => {
  const expected = request.routeOptions.config.operation?.files ?? {}
  const form = openForm(request, stream)
  const body = bodyOf({})
  const arriving: Promise<void>[] = []
  const open = new Set<Readable>()

  const keep = async (key: string, file: Readable, bytesMax: number, named: boolean) => {
    try {
      const received = await receive(file, { bytesMax })
      // A browser sends an empty, nameless part for a file field that was left alone.
      if (received.bytes === 0 && !named) return received.remove()
      body.files[key] = [...(body.files[key] ?? []), received]
    } catch (error) {
      if (!(error instanceof FileTooLarge)) throw error
      body.tooLarge.add(key)
      file.resume()
    }
  }

  const read = new Promise<void>((resolve, reject) => {
    const tooMany = () => reject(new Unreadable('The form has too many parts.'))
    const cutOff = () => reject(new Unreadable('The body was cut off.'))
    form.on('partsLimit', tooMany).on('fieldsLimit', tooMany).on('filesLimit', tooMany)
    form.on('field', (name, value, nameCut, valueCut) => {
      if (nameCut || valueCut) reject(new Unreadable('A field of the form is too long.'))
      else addField(body.fields, name, value)
    })
    form.on('file', (name, file, filename) => {
      const key = plainName(name)
      const field = expected[key]
      if (!field) return void file.resume()
      open.add(file)
      file.once('close', () => open.delete(file))
      const arrived = keep(key, file, limits[field.bytesMax], Boolean(filename))
      arrived.catch(reject)
      arriving.push(arrived)
    })
    form.on('finish', resolve).on('error', () => reject(new Unreadable('The multipart form is malformed.')))
    stream.on('error', cutOff).on('close', () => request.raw.complete || cutOff())
    stream.pipe(form)
  })

  try {
    await read
    await Promise.all(arriving)
    return body
  } catch (error) {
    stream.unpipe(form)
    stream.resume()
    for (const file of open) file.destroy(error as Error)
    await Promise.allSettled(arriving)
    await discard(body)
    throw error
  }
}

const openForm = (request: FastifyRequest, stream: Readable) => {
  try {
    return new Busboy({ headers: request.headers as { 'content-type': string }, limits: partLimits })
  } catch {
    stream.resume()
    throw new Unreadable('The multipart form has no valid boundary.')
  }
}
