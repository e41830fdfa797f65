import type { FastifyReply } from 'fastify'

/** Aborted if the connection closes before the reply has been sent: nobody waits for it any more. */
export const goneSignal = ({ raw }: FastifyReply): AbortSignal => {
  const gone = new AbortController()
  if (raw.closed) gone.abort()
  raw.once('close', () => raw.writableFinished || gone.abort())
  return gone.signal
}
