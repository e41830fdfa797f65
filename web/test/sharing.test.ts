import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtClient, readyClient } from './client.ts'

type Manifest = {
  share_target: { action: string; method: string; enctype: string; params: { files: { name: string }[] } }
  screenshots: { src: string; sizes: string; type: string }[]
}

test('the manifest’s screenshots exist in the stated sizes, and a favicon does', async () => {
  await readyClient()
  const at = (path: string) => readFileSync(join(builtClient, path))
  const manifest = JSON.parse(at('manifest.webmanifest').toString()) as Manifest
  for (const { src, sizes } of manifest.screenshots) {
    const picture = at(src)
    // The header of a lossy WebP.
    expect([src, picture.toString('latin1', 8, 16)]).toEqual([src, 'WEBPVP8 '])
    const [width, height] = [picture.readUInt16LE(26) & 0x3fff, picture.readUInt16LE(28) & 0x3fff]
    expect([src, `${width}x${height}`]).toEqual([src, sizes])
  }
  expect(manifest.screenshots.length).toBeGreaterThan(2)
  expect(at('favicon.ico').readUInt16LE(2)).toBe(1)
})
