import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './browser.ts'

/** What is not as it should be on the page as it stands, once everything has arrived and nothing fades any more. */
export const findings = async (page: Page): Promise<string[]> => {
  // Behind a chat's first rows the list that takes their place is being drawn.
  await expect(page.locator('.animate-breathe, .animate-spin, [role=log] + [inert] > *')).toHaveCount(0)
  // Colours that change, and what comes or goes, are measured at their end.
  await page.evaluate(async () => {
    const going = () => document.getAnimations().filter(({ playState }) => playState === 'running')
    const drawn = () => new Promise(requestAnimationFrame)
    for (await drawn(); going().length > 0; await drawn())
      await Promise.allSettled(going().map(({ finished }) => finished))
  })
  // Half of its time, as there are no frames whose findings a second page would have to put together.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await axe.analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  )
}

/** Nothing on the page keeps anybody out, as far as a program can tell, in both themes. */
export const expectAccessible = async (page: Page) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await findings(page)).toEqual([])
  }
}
