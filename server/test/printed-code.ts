import readCode from 'jsqr'
import sharp from 'sharp'

/** Reads a picture with one QR code as a phone does. */
export const codeIn = async (picture: Buffer): Promise<string | undefined> => {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return readCode.default(new Uint8ClampedArray(data), info.width, info.height)?.data
}
