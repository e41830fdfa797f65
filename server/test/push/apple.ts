import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { type ApnsOptions, openApns } from '../../src/platform/push/apns.ts'
import { openHttp2Service, saying } from './http2-service.ts'
import { authority } from './loopback-tls.ts'

export const deviceToken = 'ab'.repeat(32)

/** Apple's push service on loopback, which accepts every push until told otherwise, and senders for it. */
export async function openApple() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const service = await openHttp2Service(saying(200))
  const ours = {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    keyId: 'KEY1',
    teamId: 'TEAM1',
    topic: 'example.party',
    origin: service.origin,
    ca: authority,
    timeoutMs: 5_000,
  }
  return {
    ...service,
    options: ours,
    publicKey: createPublicKey(privateKey),
    openApns: (changed: Partial<ApnsOptions> = {}) => openApns({ ...ours, ...changed }),
    reset() {
      service.calls.length = 0
      service.answers(saying(200))
    },
  }
}
