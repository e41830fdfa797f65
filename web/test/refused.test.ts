import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { filmTool, hasFfmpeg, mp4 } from '../../server/test/films.ts'
import { needing } from '../../server/test/needing.ts'
import { evening } from '../../server/test/party.ts'
import { png } from '../../server/test/pictures.ts'
import { browser, ffmpeg } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'

needing(browser).describe('a service’s message in English', async () => {
  const app = await openTestApp({}, { webClient: await readyClient(), ...(hasFfmpeg && { video: await filmTool() }) })
  const { visit } = openBrowser(app.url)
  const olivia = await enter(app, 'olivia')

  test('is shown under its field, in the current language, from the first time on', async () => {
    const { page, complaints } = await visit({ locale: 'de' })
    await page.goto('/register')
    await page.getByLabel('Dein Name').fill('Olivia Zwei')
    await page.getByLabel('E-Mail').fill((await olivia.api.accounts.readAccount()).user_email)
    await page.getByLabel('Passwort').fill('ein langes Passwort')
    const shown: string[] = []
    await page.exposeFunction('shown', (text: string) => shown.push(text))
    await page.evaluate(() =>
      new MutationObserver(() => {
        const said = document.querySelector('[id$="-error"]')?.textContent
        if (said) (globalThis as unknown as { shown(text: string): void }).shown(said)
      }).observe(document.body, { childList: true, subtree: true, characterData: true }),
    )
    await page.getByRole('button', { name: 'Konto erstellen' }).click()
    await expect(page.getByText('Schon vergeben.')).toBeVisible()
    expect(new Set(shown)).toEqual(new Set(['Schon vergeben.']))
    expect(complaints).toEqual([])
  })

  test('is shown for what the browser refuses, too, and the first wrong field has the focus', async () => {
    const { page, complaints } = await visit({ locale: 'de' })
    await page.goto('/register')
    await page.getByLabel('E-Mail').fill('olivia')
    await page.getByLabel('Passwort').fill('kurz')
    const make = page.getByRole('button', { name: 'Konto erstellen' })
    await make.click()
    const name = page.getByLabel('Dein Name')
    await expect(name).toHaveAccessibleDescription('Bitte fülle das aus.')
    await expect(name).toBeFocused()
    await expect(page.getByLabel('E-Mail')).toHaveAccessibleDescription(/^Bitte eine E-Mail-Adresse/)
    await expect(page.getByLabel('Passwort')).toHaveAccessibleDescription(/8 Zeichen/)
    await name.fill('Olivia Zwei')
    await expect(name).not.toHaveAttribute('aria-invalid')
    await make.click()
    await expect(page.getByLabel('E-Mail')).toBeFocused()
    expect(complaints).toEqual([])
  })

  test('about a notification’s reason is shown in the current language', async () => {
    const gus = await enter(app, 'gus')
    const { id } = await olivia.api.events.saveEvent(evening())
    await olivia.api.events.invite({ event_id: id, user_ids: [gus.id] })
    // The pages learn the app's state before he opens it.
    const ways = async () => {
      const [told] = (await gus.api.notifications.listNotifications({ page: 1, page_length: 1 })).data
      return told && (await gus.api.notifications.traceNotification({ notification_id: told.id })).deliveries.length
    }
    await expect.poll(ways).toBe(1)
    const { page, complaints } = await visit({ locale: 'de' })
    await signIn(page, gus)
    await page.goto('/notifications')
    await page.getByRole('listitem').getByRole('button', { name: 'Mehr' }).click()
    await page.getByRole('menuitem', { name: 'Warum bekomme ich das?' }).click()
    const why = page.getByRole('dialog', { name: 'Warum bekomme ich das?' })
    await expect(why.getByText('Du wurdest zu diesem Event eingeladen.')).toBeVisible()
    await expect(why.getByText('Die App war nicht offen. Push ist auf diesem Gerät nicht eingeschaltet.')).toBeVisible()
    expect(complaints).toEqual([])
  })

  needing(ffmpeg).test(
    'about a film that cannot be shown is on the film, with the reason',
    { tags: 'slow' },
    async () => {
      const { id } = await olivia.api.events.saveEvent(evening())
      const film = await mp4({ width: 320, height: 180, seconds: 1 })
      const { id: photo } = await olivia.api.gallery.uploadPhoto({
        event_id: id,
        image: new Blob([await png({ width: 320, height: 180 })]),
        video: new File([new Uint8Array(film)], 'dance.mp4', { type: 'video/mp4' }),
      })
      await expect
        .poll(async () => {
          const { extra } = await app.withExtra(olivia.token).gallery.readPhoto({ event_photo_id: photo })
          return extra?.video_state?.state
        })
        .toBe('ready')
      await app.db.updateTable('videos').set({ state: 'failed', fault: 'damaged' }).execute()
      const { page, complaints } = await visit({ locale: 'es' })
      await signIn(page, olivia)
      await page.goto(`/events/${id}/photos/${photo}`)
      await expect(page.getByText('Este vídeo no se pudo preparar')).toBeVisible()
      await expect(page.getByText('El archivo está dañado.')).toBeVisible()
      expect(complaints).toEqual([])
    },
  )
})
