import type { FastifyReply } from 'fastify'

/** Aborted when the connection closes before the reply has left: nobody waits for it any more. */
export const goneSignal = ({ raw }: FastifyReply): AbortSignal => {
  const gone = new AbortController()
  if (raw.closed) gone.abort()
  raw.once('close', () => raw.writableFinished || gone.abort())
  return gone.signal
}
