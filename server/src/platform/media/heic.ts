export type HeicPixels = { data: Buffer; width: number; height: number }

// The most memory libheif may ever use; 48 megapixels need 400 MB. A picture's size is checked first, but what the
// stream inside requires only shows while it is decoded.
const memoryMax = 1024 ** 3

/**
 * A HEIC picture as RGBA, rotated and mirrored as the file says, so that EXIF has nothing left to rotate. `main` says
 * which picture it is and its upright size, checked before anything is decoded. Throws the decoder's error for a
 * damaged file.
 */
export async function decodeHeic(
  file: Buffer,
  main: { page: number; width: number; height: number },
): Promise<HeicPixels> {
  boundMemory()
  // Loaded with the first HEIC: its 1.4 MB of code cost 60 ms and 30 MB.
  const { default: heic } = await import('heic-decode')
  // It recognises the container by its first brand, and not all of them.
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
