import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { mailPage, type Stage } from '../accounts/mail/mail-page.ts'
import type { Db } from '../platform/database/database.ts'
import { endDigests } from './digest/digest-store.ts'

/*
 * The unsubscribe link in a digest. It needs no sign-in and can do nothing else, however often and by whomever it is
 * used.
 */

export type UnsubscribeCodes = { pathFor(userId: number): string; userOf(code: string): number | undefined }

/** `secret` is 32 random bytes belonging to the service. */
export const openUnsubscribeCodes = (secret: Uint8Array): UnsubscribeCodes => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'afterglow unsubscribing', 32))
  const macOf = (userId: number) => createHmac('sha256', key).update(String(userId)).digest().subarray(0, 16)
  return {
    pathFor: userId => `/unsubscribe/${userId}-${macOf(userId).toString('base64url')}`,
    userOf(code) {
      const [, id = '', mac = ''] = /^(\d{1,15})-([\w-]{22})$/.exec(code) ?? []
      const given = Buffer.from(mac, 'base64url')
      return given.length === 16 && timingSafeEqual(given, macOf(Number(id))) ? Number(id) : undefined
    },
  }
}

type UnsubscribeRequest = FastifyRequest<{ Params: { code: string } }>

/**
 * POST, by the page's button or by the mail program (RFC 8058), unsubscribes. If the account is gone, the answer is the
 * same.
 */
export const unsubscribeRoutes = (server: FastifyInstance, { db, codes }: { db: Db; codes: UnsubscribeCodes }) => {
  const page = (request: UnsubscribeRequest, reply: FastifyReply, stage: Stage) =>
    mailPage(request, reply, 'unsubscribe', stage)
  server.get('/unsubscribe/:code', async (request: UnsubscribeRequest, reply) =>
    page(request, reply, codes.userOf(request.params.code) === undefined ? 'gone' : 'ask'),
  )
  server.post('/unsubscribe/:code', async (request: UnsubscribeRequest, reply) => {
    const userId = codes.userOf(request.params.code)
    if (userId !== undefined) await endDigests(db, userId)
    return page(request, reply, userId === undefined ? 'gone' : 'done')
  })
}
