import type { FastifyReply, FastifyRequest } from 'fastify'
import { languageOf } from '../../platform/http/language.ts'
import { directionOf, say } from '../../words/words.ts'
import { mailStyles } from './mail-content.ts'

export type Stage = 'ask' | 'done' | 'gone'

/**
 * The page that a mail's link opens. It asks first, because mail scanners open every link; its button posts to its own
 * address.
 */
export const mailPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  about: 'unsubscribe' | 'undoEmail',
  stage: Stage,
) => {
  const language = languageOf(request.headers['accept-language'])
  const said = (name: string) => say(language, `mail.${about}.${name}`)
  const button = stage === 'ask' ? `<form method="post"><button>${said('act')}</button></form>` : ''
  return reply
    .code(stage === 'gone' ? 404 : 200)
    .type('text/html; charset=utf-8')
    .header('content-language', language)
    .headers(unframed)
    .send(
      `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8">` +
        '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">' +
        `<title>${said('title')}</title><style>${style}</style></head>` +
        `<body><main><h1>${said('title')}</h1><p>${said(stage)}</p>${button}</main></body></html>`,
    )
}

/** Clickjacking: another site could frame the page and have its button pressed. */
const unframed = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
}

const style =
  `body{${mailStyles.page};font:18px/1.5 system-ui,sans-serif}main{${mailStyles.card}}h1{font-size:24px;margin:0}` +
  `button{${mailStyles.button};min-height:48px;padding:0 20px;border:0;font:inherit}`
