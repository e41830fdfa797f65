import type { AccountTransfer } from '@afterglow/contract/transfers'
import type { z } from 'zod'
import type { Urls } from '../../platform/http/urls.ts'
import { qrSvg } from '../../platform/media/qr-codes.ts'

/** A code as a link to open, and as a picture of it. */
export const codeLink = async (code: string, { origin }: Urls) => {
  const url = `${origin}/transfer#code=${code}`
  return { url, qr: `data:image/svg+xml;base64,${Buffer.from(await qrSvg(url)).toString('base64')}` }
}

export const presentTransfer = async (
  { code, expiresAt }: { code: string; expiresAt: Date },
  urls: Urls,
): Promise<z.output<typeof AccountTransfer>> => {
  const { url, qr } = await codeLink(code, urls)
  return { transfer_url: url, transfer_qr: qr, transfer_expires_at: expiresAt.toISOString() }
}
