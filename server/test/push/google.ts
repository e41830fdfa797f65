import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readServiceAccount } from '../../src/platform/push/google-sign-in.ts'
import { type Http2Answer, openHttp2Service, saying } from './http2-service.ts'
import { readJwt } from './jwt.ts'

/**
 * Google's push service on loopback: signs in the one service account it made, and accepts messages under the tokens it
 * issued.
 */
export async function openGoogle() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const issued = new Set<string>()
  const lifetimeSeconds = { current: 3600 }

  const grant: Http2Answer = call => {
    const token = `ya29.${issued.size + 1}-planted-access-token`
    issued.add(token)
    saying(200, { access_token: token, expires_in: lifetimeSeconds.current, token_type: 'Bearer' })(call)
  }
  const accept: Http2Answer = call => {
    const known = issued.has(call.headers.authorization?.replace('Bearer ', '') ?? '')
    saying(known ? 200 : 401, known ? { name: 'projects/party-1/messages/1' } : { error: { code: 401 } })(call)
  }
  let signsIn = grant
  let takes = accept
  const service = await openHttp2Service(call => (call.path === '/token' ? signsIn : takes)(call))
  const account = {
    type: 'service_account',
    project_id: 'party-1',
    private_key_id: 'key-1',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    client_email: 'push@party-1.example',
    token_uri: `${service.origin}/token`,
  }

  return {
    ...service,
    account,
    serviceAccount: readServiceAccount(JSON.stringify(account)),
    grant,
    accept,
    lifetimeSeconds,
    signsIn(answer: Http2Answer) {
      signsIn = answer
    },
    takes(answer: Http2Answer) {
      takes = answer
    },
    revokeAll: () => issued.clear(),
    signIns: () => service.calls.filter(({ path }) => path === '/token'),
    messages: () => service.calls.filter(({ path }) => path !== '/token'),
    /** Claims of a sign-in; throws unless the account's key signed them. */
    readAssertion: (form: string) =>
      readJwt(new URLSearchParams(form).get('assertion') ?? '', createPublicKey(privateKey)),
    reset() {
      service.calls.length = 0
      lifetimeSeconds.current = 3600
      signsIn = grant
      takes = accept
    },
  }
}
