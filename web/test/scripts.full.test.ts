import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter, type Member } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { png } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'
import { addressesOf } from './tour.ts'

const ran = 'globalThis.ran=1'
/** Texts that run as scripts if taken for markup, an attribute, an address or a template. */
const attacks = [
  `<script>${ran}</script>`,
  `<img src=x onerror=${ran}>`,
  `"><svg/onload=${ran}>`,
  `'"--></style></script><script>${ran}</script>`,
  `<iframe srcdoc="<script>parent.ran=1</script>"></iframe>`,
  `<details open ontoggle=${ran}>`,
  `<a href="javascript:${ran}">here</a>`,
  `javascript:${ran}//`,
  `https://example.com/"onmouseover="${ran}`,
  `data:text/html,<script>${ran}</script>`,
  `{{constructor.constructor('${ran}')()}}`,
  `\${${ran}}`,
  `<math><mtext></mtext><style><img src onerror=${ran}></style></math>`,
  `<link rel=stylesheet href=data:,*{x:expression(${ran})}>`,
]
const all = attacks.join(' ')

needing(browser).describe(`one of ${attacks.length} scripts in every text field`, async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)
  const [olivia, gus, ana] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus'), enter(app, 'ana')])
  const short = (at: number) => (attacks[at] ?? '').slice(0, 100)
  /** Used as names, except for those with a page address, which the service refuses in names. */
  const names = attacks.filter(attack => !attack.includes('://'))
  const nameable = (at: number) => (names[at] ?? '').slice(0, 100)
  const rename = async ({ api, username, email }: Member, at: number) => {
    const renamed = {
      user_first_name: nameable(at),
      user_middle_name: nameable(at + 1),
      user_last_name: nameable(at + 2),
    }
    await api.accounts.updateAccount({ ...renamed, user_username: username, user_email: email })
  }
  await Promise.all([olivia, gus, ana].map((member, at) => rename(member, at * 3)))
  const { id, group_chat_id } = await olivia.api.events.saveEvent(
    evening({ event_name: short(2), event_description: all, event_location: short(1) }),
  )
  await bringIn(olivia, id, gus)
  await ana.api.events.askToJoin({ event_id: id })
  const picture = await png({ width: 60, height: 40 })
  const named = new File([picture], `${short(1)}.png`, { type: 'image/png' })
  const first = await gus.api.chats.saveMessage({ group_chat_id, message_content: all, attachments: [named] })
  const reply = { group_chat_id, message_reply_id: first.id, message_content: `@${gus.username} ${all}` }
  await olivia.api.chats.saveMessage(reply)
  const { id: photo } = await gus.api.gallery.uploadPhoto({
    event_id: id,
    image: named,
    event_photo_caption: all.slice(0, 900),
  })
  await olivia.api.gallery.saveComment({ event_photo_id: Number(photo), event_photo_comment: all })
  await ana.api.people.report({ report_type: 'user', report_id: gus.id, report_reason: all })
  await gus.api.people.report({ report_type: 'message', report_id: Number(first.id), report_reason: all })
  await gus.api.people.befriend({ user_id: olivia.id })
  const { link_code } = await olivia.api.links.makeLink({ event_id: id })

  const { link_code: look } = await olivia.api.links.makeLink({ event_id: id, kind: 'look', shows_chat: true })
  const { inside, outside } = addressesOf({ eventId: id, code: link_code, look, userId: gus.id, photoId: photo })

  test('never runs on any page, is not only blocked by the policy, and no token is in any address', async () => {
    const found: string[] = []
    const asked: string[] = []
    const walk = async (page: Page, paths: readonly string[]) => {
      page.on('request', request => asked.push(request.url()))
      page.on('websocket', socket => asked.push(socket.url()))
      page.on('framenavigated', frame => asked.push(frame.url()))
      page.on('dialog', dialog => found.push(`a dialog: ${dialog.message()}`))
      await page.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
          console.error(`stopped by the policy: ${violatedDirective} ${blockedURI}`),
        )
      })
      for (const path of paths) {
        await page.goto(path)
        await expect(page.getByRole('main').or(page.locator('#app > *')).first()).toBeVisible()
        await expect(page.locator('.animate-breathe, .animate-spin')).toHaveCount(0)
        if (await page.evaluate(() => 'ran' in globalThis)) found.push(`a script ran on ${path}`)
      }
    }
    const member = await visit({ size: 'desktop' })
    await signIn(member.page, olivia)
    await walk(member.page, inside)
    const stranger = await visit()
    await walk(stranger.page, outside)
    await member.page.goto(`/events/${id}/chat`)
    await expect(member.page.getByRole('article').filter({ hasText: '<iframe srcdoc=' })).toHaveCount(2)
    found.push(...member.complaints, ...stranger.complaints)
    expect(found).toEqual([])
    // A blocked script would have been reported.
    await member.page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<img src="x:" onerror="ran=1">'))
    await expect.poll(() => member.complaints.join()).toContain('stopped by the policy: script-src')
    expect(asked.length).toBeGreaterThan(100)
    for (const secret of [olivia.token, olivia.password])
      expect(asked.filter(address => decodeURIComponent(address).includes(secret))).toEqual([])
  })
})
