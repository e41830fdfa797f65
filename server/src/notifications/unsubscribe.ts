import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { mailStyles } from '../accounts/mail/letter.ts'
import type { Db } from '../platform/database/database.ts'
import { languageOf } from '../platform/http/language.ts'
import { directionOf, say } from '../words/words.ts'
import { endDigests } from './digest-store.ts'

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

type Asking = FastifyRequest<{ Params: { code: string } }>

/**
 * GET asks first, because mail scanners open every link; POST, by that page's button or by the mail program (RFC 8058),
 * unsubscribes. If the account is gone, the answer is the same.
 */
export const unsubscribeRoutes = (server: FastifyInstance, { db, codes }: { db: Db; codes: UnsubscribeCodes }) => {
  const page = (request: Asking, reply: FastifyReply, path: 'ask' | 'done' | 'gone') => {
    const language = languageOf(request.headers['accept-language'])
    const said = (name: string) => say(language, `mail.unsubscribe.${name}`)
    const button = path === 'ask' ? `<form method="post"><button>${said('act')}</button></form>` : ''
    return reply
      .code(path === 'gone' ? 404 : 200)
      .type('text/html; charset=utf-8')
      .header('content-language', language)
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'")
      .send(
        `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8">` +
          '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">' +
          `<title>${said('title')}</title><style>${style}</style></head>` +
          `<body><main><h1>${said('title')}</h1><p>${said(path)}</p>${button}</main></body></html>`,
      )
  }
  server.get('/unsubscribe/:code', async (request: Asking, reply) =>
    page(request, reply, codes.userOf(request.params.code) === undefined ? 'gone' : 'ask'),
  )
  server.post('/unsubscribe/:code', async (request: Asking, reply) => {
    const userId = codes.userOf(request.params.code)
    if (userId !== undefined) await endDigests(db, userId)
    return page(request, reply, userId === undefined ? 'gone' : 'done')
  })
}

const style =
  `body{${mailStyles.page};font:18px/1.5 system-ui,sans-serif}main{${mailStyles.card}}h1{font-size:24px;margin:0}` +
  `button{${mailStyles.button};min-height:48px;padding:0 20px;border:0;font:inherit}`
