import { describe, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { quarterOf } from '../../server/test/full.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { png } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { findings } from './axe.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'
import { addressesOf } from './tour.ts'

needing(browser).describe('axe finds nothing', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)
  const [olivia, gus, ana] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus'), enter(app, 'ana')])
  const picture = new Blob([await png({ width: 240, height: 160 })])
  const { id, group_chat_id } = await olivia.api.events.saveEvent(
    evening({ event_description: 'Bring a jacket.', event_location: 'The old pier' }),
  )
  await bringIn(olivia, id, gus)
  await ana.api.events.askToJoin({ event_id: id })
  const first = await gus.api.chats.saveMessage({
    group_chat_id,
    message_content: 'Hello @olivia, see https://example.com',
  })
  await olivia.api.chats.reactToMessage({ message_id: first.id, message_reaction: '🎉' })
  const shown = { group_chat_id, message_content: 'Look', attachments: [picture], message_reply_id: first.id }
  await olivia.api.chats.saveMessage(shown)
  const { id: photo } = await gus.api.gallery.uploadPhoto({ event_id: id, image: picture })
  const { link_code } = await olivia.api.links.makeLink({ event_id: id })
  await gus.api.people.report({ report_type: 'message', report_id: Number(first.id), report_reason: 'Not like this' })
  const guest = await app.as().links.joinByLink({ code: link_code, user_first_name: 'Anna', device_id: 'a phone' })

  const { link_code: look } = await olivia.api.links.makeLink({ event_id: id, kind: 'look', shows_chat: true })
  const { inside, outside } = addressesOf({ eventId: id, code: link_code, look, userId: gus.id, photoId: photo })

  describe.each([
    ['light', 'phone', 'en'],
    ['dark', 'desktop', 'ar'],
  ] as const)('in %s on a %s in %s', (theme, size, locale) => {
    // Each page of the journey is checked in both themes.
    test('on any page', { tags: theme === 'dark' ? 'slow' : [], timeout: 180_000 }, async () => {
      const found: string[] = []
      for (const [who, paths] of [
        [undefined, [...outside, '/j/none-such']],
        [olivia, [...inside, '/nowhere']],
        [{ token: guest.token, id: guest.user.id }, ['/settings/claim', '/settings/account']],
      ] as const) {
        const { page, complaints } = await visit({ theme, size, locale, still: true })
        if (who) await signIn(page, who)
        for (const path of quarterOf(`pages for axe, ${theme}`, paths, { from: theme === 'light' ? 0 : 2 })) {
          await page.goto(path)
          await expect(
            page
              .getByRole('heading', { level: 1 })
              .or(page.getByRole('heading', { level: 2 }))
              .first(),
          ).toBeVisible()
          found.push(...(await findings(page)).map(each => `${path} ${each}`))
          // A phone lays out a page that is too wide in a wider window.
          const wide = await page.evaluate(() => document.documentElement.scrollWidth)
          if (wide > (page.viewportSize()?.width ?? 0)) found.push(`${path} is ${wide} px wide`)
        }
        found.push(...complaints)
      }
      expect(found).toEqual([])
    })
  })
})
