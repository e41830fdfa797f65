export type HeicPixels = { data: Buffer; width: number; height: number }

// All that libheif may ever hold; 48 megapixels need 400 MB. A picture's size is checked before, but what the stream
// inside asks for shows itself only while it is decoded.
const memoryMax = 1024 ** 3

/**
 * One picture of a HEIC as RGBA, turned and mirrored as the file says, so that nothing is left for EXIF to turn. `main`
 * says which it is and how large, upright: checked before anything is decoded. Throws what the decoder says of a
 * damaged file.
 */
export async function decodeHeic(
  file: Buffer,
  main: { page: number; width: number; height: number },
): Promise<HeicPixels> {
  boundMemory()
  // Loaded when the first one comes: its 1.4 MB of program cost 60 ms and 30 MB.
  const { default: heic } = await import('heic-decode')
  // It knows the container by its first brand, and not all of them.
  const buffer = Buffer.from(file)
  buffer.write('heic', 8, 'latin1')
  const images = await heic.all({ buffer })
  try {
    const image = images[main.page]
    if (image?.width !== main.width || image.height !== main.height) throw new Error('The main picture is not there.')
    const { data, width, height } = await image.decode()
    return { data: Buffer.from(data.buffer, data.byteOffset, data.byteLength), width, height }
  } finally {
    images.dispose()
  }
}

let bounded = false

function boundMemory() {
  if (bounded) return
  bounded = true
  const { grow } = WebAssembly.Memory.prototype
  WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number) {
    if (this.buffer.byteLength + pages * 65_536 > memoryMax) throw new RangeError('The picture needs too much memory.')
    return grow.call(this, pages)
  }
}
