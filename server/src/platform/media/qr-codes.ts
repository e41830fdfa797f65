/** A code that stays readable with a quarter of it torn or stained. */
const drawing = { errorCorrectionLevel: 'quartile', margin: 4 } as const
/** For a PNG: it prints sharply on a page. */
const pngPixels = 1024

/** Loaded for the first code: with what draws PNGs it takes 3 MB. */
const load = async () => (await import('qrcode')).default

export const qrSvg = async (text: string): Promise<string> => (await load()).toString(text, { ...drawing, type: 'svg' })
export const qrPng = async (text: string): Promise<Buffer> =>
  (await load()).toBuffer(text, { ...drawing, width: pngPixels })
