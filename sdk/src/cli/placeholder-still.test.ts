import { afterAll, expect, test } from 'vitest'
import { openPictures } from '../../../server/src/platform/media/pictures/picture.ts'
import { storageAtHand } from '../../../server/test/media.ts'
import { plainStill } from './placeholder-still.ts'

const at = await storageAtHand()
const pictures = openPictures({ storage: at.storage, log: { warn() {} } })
afterAll(async () => {
  await pictures.close()
  await at.end()
})

test('the still of a film sent without a decoder is decoded by the service, which sees that it shows nothing', async () => {
  const path = await at.uploaded(plainStill)
  const { width, height, look } = await pictures.prepare(path, { pixelsMax: 1_000_000 })
  expect({ width, height, look }).toEqual({ width: 320, height: 180, look: null })
})
