import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const text = /\.(?:m?js|css|html|svg|json|webmanifest)$/
/** Below this, a compressed file saves less than its headers cost. */
const bytesMin = 500

/** Creates `.br` and `.gz` files beside text files, so that the service compresses nothing while it serves. */
export const compressed = (): Plugin => {
  let directory = ''
  return {
    name: 'compressed',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      directory = resolve(config.root, config.build.outDir)
    },
    closeBundle: {
      // After the service worker is written, or its compressed files would lack the list of files.
      order: 'post',
      sequential: true,
      async handler() {
        const names = await readdir(directory, { recursive: true })
        await Promise.all(names.filter(name => text.test(name)).map(name => addTwins(join(directory, name))))
      },
    },
  }
}

const addTwins = async (path: string) => {
  const content = await readFile(path)
  if (content.length < bytesMin) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params }))
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
}
