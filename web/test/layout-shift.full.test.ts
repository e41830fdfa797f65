import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { openIssuer } from '../../server/test/openid/issuer.ts'
import { evening } from '../../server/test/party.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { movedOn, signIn } from './steps.ts'

needing(browser).describe('a page does not move once it is readable:', async () => {
  const issuer = await openIssuer()
  const app = await openTestApp({}, { env: issuer.env, webClient: await readyClient() })
  const { visit } = openBrowser(app.url)
  const olivia = await enter(app, 'olivia')
  const { id } = await olivia.api.events.saveEvent(evening())

  const shiftsOf = async (page: Page, path: string) => {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    return movedOn(page)
  }

  test.each([
    ['outside', undefined, ['/sign-in', '/register', '/forgot-password', '/reset-password']],
    [
      'inside',
      olivia,
      [
        '/settings',
        '/settings/account',
        '/settings/profile',
        '/settings/devices',
        '/settings/password',
        '/verify-email',
        `/events/${id}/reports`,
        `/events/${id}/log`,
      ],
    ],
  ] as const)('%s', async (_, who, paths) => {
    const moved: [string, number][] = []
    for (const path of paths) {
      const { page, context } = await visit()
      if (who) await signIn(page, who)
      const shift = await shiftsOf(page, path)
      if (shift > 0.02) moved.push([path, shift])
      await context.close()
    }
    expect(moved).toEqual([])
  })
})
