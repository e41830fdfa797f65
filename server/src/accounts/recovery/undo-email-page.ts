import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../platform/database/database.ts'
import { networkOf, type RateLimits } from '../../platform/http/limits.ts'
import { isRefusal } from '../../platform/http/refusals.ts'
import { mailPage } from '../mail/mail-page.ts'
import { mayUndoEmail, undoEmail } from './recovery.ts'

type Asking = FastifyRequest<{ Params: { code: string } }>

const triesPerMinute = 30

/** The link in the mail that tells an address that its account has another one now. */
export const undoEmailPage = (server: FastifyInstance, { db, limits }: { db: Database; limits: RateLimits }) => {
  const onRequest = async ({ ip }: FastifyRequest) => {
    await limits.spend('undoing an address', networkOf(ip), triesPerMinute)
  }
  server.get('/undo-email/:code', { onRequest }, async (request: Asking, reply) =>
    mailPage(request, reply, 'undoEmail', (await mayUndoEmail(db, request.params.code)) ? 'ask' : 'gone'),
  )
  server.post('/undo-email/:code', { onRequest }, async (request: Asking, reply) => {
    const undone = await undoEmail(db, request.params.code).then(
      () => true,
      error => (isRefusal(error) ? false : Promise.reject(error)),
    )
    return mailPage(request, reply, 'undoEmail', undone ? 'done' : 'gone')
  })
}
