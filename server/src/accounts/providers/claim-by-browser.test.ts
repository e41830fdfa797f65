import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { listen } from '../../../test/channel.ts'
import { newVerifier, signInByBrowser, visit } from '../../../test/openid/browser.ts'
import { openIssuer } from '../../../test/openid/issuer.ts'
import { evening } from '../../../test/party.ts'
import { invalid, refusal, says } from '../../../test/refused.ts'

const issuer = await openIssuer()
const second = await openIssuer()
const { OPENID_10_ISSUER, OPENID_10_CLIENT_IDS } = second.env
const env = { ...issuer.env, OPENID_11_ISSUER: OPENID_10_ISSUER, OPENID_11_CLIENT_IDS: OPENID_10_CLIENT_IDS }
const app = await openTestApp({}, { env })
issuer.returnsTo(app.url)

const olivia = await enter(app, 'olivia')
const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening({ event_visibility: 3 }))
const { link_code: code } = await olivia.api.links.makeLink({ event_id })
const expired = says('The sign-in has expired or was finished before. Please start again.')

const taken = invalid(
  'user_login_option_unique_identifier',
  'The user login option unique identifier has already been taken.',
)

const come = async () => {
  const joined = await app.as().links.joinByLink({ code, user_first_name: 'Anna', device_id: 'a phone' })
  return { ...joined.user, token: joined.token, api: app.as(joined.token) }
}
/** A browser's state after signing in at the provider as this person. */
const proofOf = async (
  subject: string,
  person: { email?: string } = { email: `${subject.replaceAll(' ', '.')}@club.example` },
) => {
  issuer.people.set(subject, { ...person, name: 'Anna Aalto' })
  issuer.signedInAs(subject)
  const { provider_code, provider_verifier } = await visit(app)
  return { provider_code, provider_verifier }
}
const signIn = async (subject: string) => {
  issuer.signedInAs(subject)
  return signInByBrowser(app)
}

describe('a guest account claimed by what a browser brought back from a provider', () => {
  test('keeps its content and its sessions, and is signed in to by the provider', async () => {
    const guest = await come()
    const listener = await listen(app, guest)
    const message = await guest.api.chats.saveMessage({ group_chat_id, message_content: 'Still mine' })

    const claimed = await guest.api.accounts.claimAccount(await proofOf('anna'))
    expect(claimed).toMatchObject({ id: guest.id, user_email: 'anna@club.example', user_status: 2 })
    expect(claimed.user_username).toBe(guest.user_username)
    expect(claimed.user_login_options).toMatchObject([
      { user_login_option_type: 10, user_login_option_unique_identifier: 'anna' },
    ])
    const { id } = await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Welcome' })
    await listener.next('message.created', heard => heard.id === id)
    expect(listener.states).toMatchObject({ lost: 0, signedOut: 0 })

    const { user, token } = await signIn('anna')
    expect(user.id).toBe(guest.id)
    const edited = { group_chat_id, message_id: Number(message.id), message_content: 'Edited' }
    expect((await app.as(token).chats.saveMessage(edited)).message_content).toBe('Edited')
  })

  test('asks for the address that the provider did not tell, and the same code still serves', async () => {
    const guest = await come()
    const proof = await proofOf('mailless', {})
    expect(await refusal(guest.api.accounts.claimAccount(proof))).toEqual(
      invalid('user_email', 'The user email field is required.'),
    )
    const claimed = await guest.api.accounts.claimAccount({ ...proof, user_email: 'mine@example.com' })
    expect(claimed).toMatchObject({ id: guest.id, user_email: 'mine@example.com' })
  })

  test('may name the type, which must be the one that was gone to', async () => {
    const guest = await come()
    const proof = await proofOf('typed')
    for (const user_login_option_type of [1, 2, 11])
      expect(await refusal(guest.api.accounts.claimAccount({ ...proof, user_login_option_type }))).toEqual(
        invalid('user_login_option_type', 'The selected user login option type is invalid.'),
      )
    const claimed = await guest.api.accounts.claimAccount({ ...proof, user_login_option_type: 10 })
    expect(claimed.user_status).toBe(2)
  })
})

describe('a claim is refused, and the account stays a guest’s,', () => {
  const stays = async (guest: Awaited<ReturnType<typeof come>>, refused: Promise<unknown>) => {
    const answer = await refusal(refused)
    expect(await guest.api.accounts.readAccount()).toMatchObject({ user_status: 5, user_login_options: [] })
    return answer
  }

  test('by a code without the verifier of the browser that went, which its owner still has', async () => {
    const [guest, mallory] = [await come(), await come()]
    const proof = await proofOf('stolen code')
    const stolen = { ...proof, provider_verifier: newVerifier().verifier }
    expect(await stays(mallory, mallory.api.accounts.claimAccount(stolen))).toEqual(expired)
    expect(await stays(mallory, mallory.api.accounts.claimAccount({ provider_code: proof.provider_code }))).toEqual(
      invalid('provider_verifier', 'The provider verifier field is required.'),
    )
    expect((await guest.api.accounts.claimAccount(proof)).user_status).toBe(2)
  })

  test('by a code that nobody was given, that was spent, or that is too old', async () => {
    const [guest, other] = [await come(), await come()]
    const made = { provider_code: newVerifier().verifier, provider_verifier: newVerifier().verifier }
    expect(await stays(guest, guest.api.accounts.claimAccount(made))).toEqual(expired)
    const spent = await proofOf('spent')
    await other.api.accounts.claimAccount(spent)
    expect(await stays(guest, guest.api.accounts.claimAccount(spent))).toEqual(expired)
    const late = await proofOf('late')
    await sql`update provider_proofs set expires_at = now()`.execute(app.db)
    expect(await stays(guest, guest.api.accounts.claimAccount(late))).toEqual(expired)
  })

  test('by an identity that signs another account in, which stays as it is', async () => {
    issuer.people.set('taken', { email: 'taken@club.example', given_name: 'Tara', family_name: 'Taken' })
    const owner = await signIn('taken')
    const guest = await come()
    for (const user_email of [undefined, 'new@example.com']) {
      const claim = guest.api.accounts.claimAccount({ ...(await proofOf('taken')), user_email })
      expect(await stays(guest, claim)).toEqual(taken)
    }
    expect((await signIn('taken')).user.id).toBe(owner.user.id)
  })

  test('by a provider that tells another account’s address: it is merged with nothing', async () => {
    const guest = await come()
    const claim = guest.api.accounts.claimAccount(await proofOf('same address', { email: olivia.email }))
    expect(await stays(guest, claim)).toEqual(invalid('user_email', 'The user email has already been taken.'))
  })
})

test('an account that is no guest’s any more is not claimed, and the code stays its owner’s', async () => {
  const gus = await enter(app, 'gus')
  const proof = await proofOf('full already')
  expect(await refusal(gus.api.accounts.claimAccount(proof))).toEqual(says('The account is not a guest account'))
  const linked = await gus.api.providers.linkLoginOption({ user_login_option_type: 10, ...proof })
  expect(linked.user_login_options).toHaveLength(2)
})

test('one code for two guests at once makes one account full', async () => {
  const guests = [await come(), await come()]
  const proof = await proofOf('one for two')
  const claims = await Promise.allSettled(guests.map(guest => guest.api.accounts.claimAccount(proof)))
  expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})
