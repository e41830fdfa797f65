import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { SignJWT } from 'jose'
import type { ClientAuth } from 'openid-client'
import type { ProviderSettings } from '../../settings/provider-settings.ts'
import { CannotStart } from '../process/cannot-start.ts'

type AppleKey = NonNullable<NonNullable<ProviderSettings['apple']>['key']>

/**
 * Apple accepts no secret but a token signed by the team's key; this creates one for each request. Throws CannotStart.
 */
export const appleSecret = ({ path, keyId, teamId }: AppleKey): ClientAuth => {
  const key = readKey(path)
  return async (server, client, body) => {
    const statement = await new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .setIssuer(teamId)
      .setSubject(client.client_id)
      .setAudience(server.issuer)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(key)
    body.set('client_id', client.client_id)
    body.set('client_secret', statement)
  }
}

const readKey = (path: string): KeyObject => {
  try {
    const key = createPrivateKey(readFileSync(path, 'utf8'))
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  } catch {
    // Reported below, without quoting the file.
  }
  throw new CannotStart(`The key in ${path} (APPLE_KEY) cannot be used: give the .p8 file that Apple made.`)
}
