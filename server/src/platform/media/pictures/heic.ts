import { createRequire } from 'node:module'

/** RGBA; in 16 bits if they were asked for, of which `max` stands for full light. */
export type HeicPixels = { data: Buffer | Uint16Array; width: number; height: number; max: number }

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
  { deep = false } = {},
): Promise<HeicPixels> {
  boundMemory()
  // Loaded with the first HEIC: its 1.4 MB of code cost 60 ms and 30 MB.
  const heif = openHeif()
  await heif.ready
  const decoder = new heif.HeifDecoder()
  const images = decoder.decode(file)
  try {
    const image = images[main.page]
    if (image?.get_width() !== main.width || image.get_height() !== main.height)
      throw new Error('The main picture is not there.')
    const { heif_chroma_interleaved_RGBA: shallow, heif_chroma_interleaved_RRGGBBAA_LE: deeply } = heif.heif_chroma
    const rgb = heif.heif_colorspace.heif_colorspace_RGB
    const decoded = await heif.heif_js_decode_image2(image.handle, rgb, deep ? deeply : shallow)
    const [plane] = decoded && !decoded.code ? decoded.channels : []
    if (!plane) throw new Error('HEIF processing error')
    try {
      return { ...pixelsOf(plane, deep), width: main.width, height: main.height }
    } finally {
      heif.heif_image_release(decoded.image)
    }
  } finally {
    for (const image of images) image.free()
    if (decoder.decoder) heif.heif_context_free(decoder.decoder)
  }
}

type Plane = { data: Uint8Array; stride: number; width: number; height: number; bits_per_pixel: number }

/** Without the padding of its rows, out of the decoder's memory. */
function pixelsOf({ data, stride, width, height, bits_per_pixel: bits }: Plane, deep: boolean) {
  const row = width * (deep ? 8 : 4)
  const copy = new Uint8Array(row * height)
  for (let y = 0; y < height; y++) copy.set(data.subarray(y * stride, y * stride + row), y * row)
  if (!deep) return { data: Buffer.from(copy.buffer), max: 255 }
  return { data: new Uint16Array(copy.buffer), max: bits > 8 ? 2 ** bits - 1 : 255 }
}

/** heic-decode itself only decodes in 8 bits: this is the library that it consists of. */
const openHeif = (): Heif =>
  createRequire(createRequire(import.meta.url).resolve('heic-decode'))('libheif-js/wasm-bundle')

type Image = { handle: unknown; get_width(): number; get_height(): number; free(): void }
type Heif = {
  ready: Promise<unknown>
  HeifDecoder: new () => { decoder: unknown; decode(file: Uint8Array): Image[] }
  heif_chroma: Record<'heif_chroma_interleaved_RGBA' | 'heif_chroma_interleaved_RRGGBBAA_LE', unknown>
  heif_colorspace: Record<'heif_colorspace_RGB', unknown>
  heif_js_decode_image2(
    handle: unknown,
    colorspace: unknown,
    chroma: unknown,
  ): Promise<{ image: unknown; channels: Plane[]; code?: unknown }>
  heif_image_release(image: unknown): void
  heif_context_free(context: unknown): void
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
