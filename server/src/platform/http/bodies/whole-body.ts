import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Unreadable } from '../refusals.ts'
import type { OpenBodies } from './open-bodies.ts'

const leastBytes = 1024

/** A body as one buffer. */
export const wholeBody = async (
  request: FastifyRequest,
  stream: Readable,
  bytesMax: number,
  bodies: OpenBodies,
): Promise<Buffer> => {
  const announced = Number(request.headers['content-length'])
  if (announced > bytesMax) {
    stream.resume()
    throw new Unreadable('The body is too large.')
  }
  // Most arrive in the same packet as their headers, and are already here.
  if (announced > 0 && stream.readableLength === announced) {
    const bytes = stream.read()
    stream.resume()
    return bytes
  }
  return gathered(request, stream, bytesMax, bodies)
}

/**
 * The buffer grows by what arrived, not by what was declared, and in one piece: chunks of a byte each would hold
 * hundreds of times their size.
 */
const gathered = (request: FastifyRequest, stream: Readable, bytesMax: number, bodies: OpenBodies) =>
  new Promise<Buffer>((resolve, reject) => {
    let held = Buffer.alloc(0)
    let length = 0
    const refuse = (error: Error) => {
      stream.off('data', keep)
      held = Buffer.alloc(0)
      // Nobody reads what is still in transit.
      stream.resume()
      body.close()
      reject(error)
    }
    const body = bodies.open(request, refuse)
    const keep = (chunk: Buffer) => {
      const before = length
      length += chunk.length
      if (length > bytesMax) return refuse(new Unreadable('The body is too large.'))
      if (length > held.length) {
        const wider = Buffer.allocUnsafeSlow(Math.min(bytesMax, Math.max(2 * held.length, length, leastBytes)))
        held.copy(wider, 0, 0, before)
        const more = wider.length - held.length
        held = wider
        body.grow(more)
      }
      chunk.copy(held, before)
    }
    const cutOff = () => refuse(new Unreadable('The body was cut off.'))
    stream
      .on('data', keep)
      .on('end', () => {
        body.close()
        resolve(held.subarray(0, length))
      })
      .on('error', cutOff)
      .on('close', () => request.raw.complete || cutOff())
  })
