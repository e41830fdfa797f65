import { expect, test } from 'vitest'
import { decodePicture } from '../../../server/src/platform/media/picture-decode.ts'
import { plainStill } from './plain-still.ts'

test('the still of a film sent without a decoder is decoded by the service, which sees that it shows nothing', async () => {
  const wanted = { pixelsMax: 1_000_000, shape: 'photo', animated: false } as const
  const { width, height, look } = await decodePicture(plainStill, 'image/jpeg', wanted)
  expect({ width, height, look }).toEqual({ width: 320, height: 180, look: null })
})
