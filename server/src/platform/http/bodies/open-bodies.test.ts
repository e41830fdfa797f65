import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { actingFor } from '../viewer.ts'
import { openOpenBodies } from './open-bodies.ts'

const bounds = { bytesOfNetwork: 1000, bytes: 10_000, ofNetwork: 6, ofViewer: 100, textWithinMs: 30_000 }

/** Uploads from one address; `cut` names those that were cut off. */
const arriving = () => {
  const bodies = openOpenBodies(bounds)
  const cut: string[] = []
  const upload = (name: string, id: number, crowd: string | null = null) => {
    const request = { ip: '192.0.2.1', viewer: { ...actingFor(id), crowd } } as FastifyRequest
    return bodies.open(request, () => cut.push(name), true)
  }
  return { upload, cut, close: bodies.close }
}

test('the client with most open bodies loses one beyond the bound, not the first to come', () => {
  const { upload, cut, close } = arriving()
  upload('first', 1)
  for (let n = 0; n < 5; n++) upload(`many ${n}`, 2)
  upload('another', 3)
  expect(cut).toEqual(['many 4'])
  upload('one more', 4)
  expect(cut).toEqual(['many 4', 'many 3'])
  close()
})

test('the guests of one link count as one client, and among them the busiest loses', () => {
  const { upload, cut, close } = arriving()
  upload('the photographer', 1)
  upload('the photographer again', 1)
  for (let n = 0; n < 4; n++) upload(`bot ${n}`, 10 + n, 'link 7')
  upload('a guest of another link', 3, 'link 8')
  expect(cut).toEqual(['bot 3'])
  close()
})
