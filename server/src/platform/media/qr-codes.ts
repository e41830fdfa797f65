import QRCode from 'qrcode'

/** A code that stays readable with a quarter of it torn or stained. */
const drawing = { errorCorrectionLevel: 'quartile', margin: 4 } as const
/** For a PNG: it prints sharply on a page. */
const pngPixels = 1024

export const qrSvg = (text: string) => QRCode.toString(text, { ...drawing, type: 'svg' })
export const qrPng = (text: string) => QRCode.toBuffer(text, { ...drawing, width: pngPixels })
