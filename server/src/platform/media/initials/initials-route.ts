import type { FastifyPluginAsync } from 'fastify'
import { typeHeaders } from '../media-type.ts'
import { initialsAvatar } from './initials-avatar.ts'

const yearSeconds = 365 * 24 * 60 * 60

/** GET `/media/initials/:initials/:seed.svg`: the generated picture; made from the path alone, so it needs no signature and never changes. */
export const initialsRoute: FastifyPluginAsync = async app => {
  app.get<{ Params: { initials: string; seed: string } }>(
    '/media/initials/:initials/:seed',
    async ({ params }, reply) =>
      reply
        .headers({ ...typeHeaders('image/svg+xml'), 'cache-control': `public, max-age=${yearSeconds}, immutable` })
        .send(initialsAvatar(params.initials.slice(0, 64), params.seed.replace(/\.svg$/, '').slice(0, 20))),
  )
}
