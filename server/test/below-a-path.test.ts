import { connect } from '@afterglow/sdk/realtime'
import { uploadPhoto } from '@afterglow/sdk/upload'
import { expect, test } from 'vitest'
import { preloadsFrom } from '../src/platform/web-client/preloads.ts'
import { clientOf, openTestApp } from './app.ts'
import { enter } from './cast.ts'
import { freePort } from './free-port.ts'
import { openMailServer } from './mail/mail-server.ts'
import { needing } from './needing.ts'
import { openNginx, upgrading } from './nginx.ts'
import { newVerifier, visit } from './openid/browser.ts'
import { openIssuer } from './openid/issuer.ts'
import { bringIn, evening } from './party.ts'
import { jpeg } from './pictures.ts'
import { invalid, refusal } from './refused.ts'
import { nginx } from './tools.ts'
import { whenDone } from './when-done.ts'

const publicPath = '/club/party'
const webClient = {
  current: () => ({ page: '<head><title></title></head>', ahead: preloadsFrom(undefined), files: new Map() }),
}

needing(nginx).describe('below a path of another site', async () => {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}${publicPath}`
  const [issuer, mails] = await Promise.all([openIssuer(), openMailServer()])
  const env = { ...issuer.env, ...mails.env, PUBLIC_URL: `${publicUrl}/` }
  const app = await openTestApp({}, { env, webClient })
  issuer.returnsTo(publicUrl)
  const location = (passes: string) => `location ${publicPath}/ { proxy_pass ${passes}; ${upgrading} }`
  /** `proxy_pass http://127.0.0.1:3000` keeps the path in the request; with a trailing slash it removes it. */
  const keeping = await openNginx(app.url, {
    port,
    location: 'return 404;',
    more: `location = /healthz { return 200; } ${location(app.url)}`,
  })
  const stripping = await openNginx(app.url, {
    location: 'return 404;',
    more: `location = /healthz { return 200; } ${location(`${app.url}/`)}`,
  })
  const forms = [keeping.url, stripping.url]

  /** Every URL that the service has returned. */
  const told = new Set<string>()
  const hear = (text: string) => {
    for (const [url] of text.matchAll(/https?:\/\/(?:127\.0\.0\.1|localhost)[^\s"'\\<>]*/g))
      told.add(url.replaceAll('&amp;', '&').replace(/[).,]+$/, ''))
  }
  /** A document's sample requests are sent, not opened. */
  const withoutSamples = (text: string) =>
    text.startsWith('{')
      ? JSON.stringify(JSON.parse(text), (key, value) => (key === 'x-codeSamples' ? undefined : value))
      : text
  const heard = async (url: string | URL | Request, init?: RequestInit) => {
    const reply = await fetch(url, init)
    hear(withoutSamples(await reply.clone().text()))
    hear(reply.headers.get('location') ?? '')
    return reply
  }
  const connectionOf = (token?: string) => ({
    baseUrl: publicUrl,
    fetch: heard as typeof fetch,
    ...(token && { token }),
  })
  const guestOf = {
    url: publicUrl,
    as: (token?: string) => clientOf(connectionOf(token)),
    withExtra: (token: string) => clientOf({ ...connectionOf(token), extra: true as const }),
  }
  const [olivia, gus] = await Promise.all([enter(guestOf, 'olivia'), enter(guestOf, 'gus')])
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening({ event_visibility: 1 }))
  await bringIn(olivia, event_id, gus)
  const picture = async (seed: number) =>
    new File([new Uint8Array(await jpeg({ width: 900, height: 600, seed }))], 'a.jpg')

  const open = (url: string) =>
    fetch(url, { headers: { accept: 'text/html, */*', authorization: `Bearer ${olivia.token}` } })

  test('every URL in a reply begins with it, and opens through both forms of nginx', async () => {
    await uploadPhoto(connectionOf(gus.token), { event_id, image: await picture(1) }, { directBytesMax: 0 })
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'See', attachments: [await picture(2)] })
    const link = await olivia.extra.links.makeLink({ event_id })
    await olivia.api.plans.makeCalendarFeed()
    await olivia.api.plans.linkCalendar({ event_id })
    await olivia.extra.accounts.readAccount()
    await olivia.extra.gallery.listPhotos({ event_id, page: 1, page_length: 1 })
    await olivia.extra.chats.listMessages({ group_chat_id, page: 1, page_length: 1 })
    await olivia.extra.events.listGuests({ event_id, page: 1, page_length: 1 })
    for (const path of [
      '/api/openapi.json',
      '/api/openapi-3.0.json',
      '/api/asyncapi.json',
      '/docs/',
      `/events/${event_id}`,
      `/j/${link.link_code}`,
    ])
      await heard(publicUrl + path, { headers: { accept: 'text/html, */*' } })
    const ours = [...told].filter(url => url.startsWith('http://127.0.0.1'))
    expect(ours.filter(url => !`${url}/`.startsWith(`${publicUrl}/`))).toEqual([])
    for (const part of [
      '/media/',
      '/j/',
      '/calendar/',
      '/api/gallery/photos/',
      'page=2',
      'qr.svg',
      'cover.jpg',
      '/upload/session/',
    ])
      expect(
        ours.some(url => url.includes(part)),
        part,
      ).toBe(true)
    // A list's URL without its page only names the list.
    const opened = ours.filter(
      url => !url.includes('/upload/session/') && !ours.some(other => other.startsWith(`${url}?`)),
    )
    const answers = await Promise.all(
      opened.flatMap(url => forms.map(async form => [url, form, (await open(url.replace(keeping.url, form))).status])),
    )
    expect(answers.filter(([, , status]) => status !== 200)).toEqual([])
  })

  test('the channel knows its path, opens through both forms, and sends URLs that begin with it', async () => {
    expect((await gus.api.notifications.readRealtimeConfig()).channel_path).toBe(`${publicPath}/realtime`)
    for (const form of forms) {
      const channel = connect({ baseUrl: form + publicPath, token: gus.token })
      whenDone(async () => channel.close())
      await new Promise<void>(resolve => channel.when('live', resolve))
      const [sent] = await Promise.all([
        new Promise<string>(resolve => channel.on('message.created', ({ user }) => resolve(user.user_avatar_url))),
        olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Hello' }),
      ])
      expect(sent.startsWith(`${publicUrl}/media/`)).toBe(true)
    }
  })

  test('a resumable upload continues through both forms', async () => {
    for (const [at, form] of forms.entries()) {
      const connection = { baseUrl: form + publicPath, token: gus.token }
      const photo = await uploadPhoto(connection, { event_id, image: await picture(10 + at) }, { directBytesMax: 0 })
      expect((await fetch(photo.event_photo_url)).status).toBe(200)
    }
  })

  test('a sign-in by a provider returns below it, and to no neighbour', async () => {
    issuer.people.set('anna', {
      email: 'anna@club.example',
      email_verified: true,
      given_name: 'Anna',
      family_name: 'A',
    })
    issuer.signedInAs('anna')
    expect((await visit(guestOf)).provider_code).not.toBe('')
    const begin = (return_to: string) =>
      guestOf.as().providers.beginProviderSignIn({
        user_login_option_type: 10,
        return_to,
        provider_challenge: newVerifier().challenge,
      })
    for (const elsewhere of [
      keeping.url,
      `${keeping.url}/club`,
      `${keeping.url}/club/party-of-others`,
      `${publicUrl}/../others`,
    ])
      expect(await refusal(begin(elsewhere)), elsewhere).toEqual(
        invalid('return_to', 'The selected return to is invalid.'),
      )
  })

  test('links in mails begin with it', async () => {
    expect((await mails.mailTo(olivia.email)).text).toContain(`${publicUrl}/verify-email#`)
  })

  test('a missing slash leads to the client, and an extra slash to the service', async () => {
    const bare = await fetch(`${app.url}${publicPath}?next=%2Fevents`, { redirect: 'manual' })
    expect([bare.status, bare.headers.get('location')]).toEqual([301, `${publicPath}/?next=%2Fevents`])
    for (const path of ['//healthz', `${publicPath}//healthz`, '/healthz', `${publicPath}/healthz`])
      expect([path, (await fetch(app.url + path)).status]).toEqual([path, 200])
    expect((await fetch(`${publicUrl}/docs`, { redirect: 'manual' })).headers.get('location')).toBe(
      `${publicPath}/docs/`,
    )
    expect((await fetch(`${app.url}/club/healthz`)).status).toBe(404)
  })
})
