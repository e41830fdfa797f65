import type { FastifyRequest } from 'fastify'
import type { Config } from '../../../settings/config.ts'
import { openTrust } from '../../http/client-address.ts'
import { placeOnDisk } from '../storage/disk.ts'

/**
 * The stored file's path at the proxy that a request came through, so that the proxy sends it itself; null for direct
 * requests.
 */
export type SentByProxy = (request: FastifyRequest, sha256: string) => string | null

export const openSentByProxy = ({
  storage,
  trustedProxies,
}: Pick<Config, 'storage' | 'trustedProxies'>): SentByProxy => {
  const { accelPrefix } = storage
  if (accelPrefix === null) return () => null
  const trusts = openTrust(trustedProxies)
  return ({ raw }, sha256) => (trusts(raw.socket.remoteAddress) ? `${accelPrefix}/${placeOnDisk(sha256)}` : null)
}
