import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './browser.ts'

/** What is not as it should be on the page as it stands, once everything has arrived and nothing fades any more. */
export const findings = async (page: Page, rules?: readonly string[], within?: string): Promise<string[]> => {
  await expect(page.locator('.animate-breathe, .animate-spin, [role=log][aria-busy=true]')).toHaveCount(0)
  // Colours that change, and what comes or goes, are measured at their end.
  await page.evaluate(async () => {
    const going = () => document.getAnimations().filter(({ playState }) => playState === 'running')
    const drawn = () => new Promise(requestAnimationFrame)
    for (await drawn(); going().length > 0; await drawn())
      await Promise.allSettled(going().map(({ finished }) => finished))
  })
  // Half of its time, as there are no frames whose findings a second page would have to put together.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ['violations'],
    ...(rules && { runOnly: { type: 'rule', values: [...rules] } }),
  })
  const { violations } = await (within ? axe.include(within) : axe).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  )
}

/** Nothing on the page keeps anybody out, as far as a program can tell, in both themes. */
export const expectAccessible = async (page: Page) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  expect(await findings(page)).toEqual([])
  // The other theme is other colours, and nothing else.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  expect(await findings(page, ['color-contrast', 'link-in-text-block'])).toEqual([])
}
