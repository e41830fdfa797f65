import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './browser.ts'

/** The accessibility findings on the current page, once everything has arrived and no animation runs. */
export const findings = async (page: Page, rules?: readonly string[], within?: string): Promise<string[]> => {
  await expect(page.locator('.animate-breathe, .animate-spin, [role=log][aria-busy=true]')).toHaveCount(0)
  // Colours in transition, and elements that appear or disappear, are measured at their end.
  await page.evaluate(async () => {
    const going = () => document.getAnimations().filter(({ playState }) => playState === 'running')
    const drawn = () => new Promise(requestAnimationFrame)
    for (await drawn(); going().length > 0; await drawn())
      await Promise.allSettled(going().map(({ finished }) => finished))
  })
  // Legacy mode takes half of the time, and there are no frames whose findings a second page would have to combine.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ['violations'],
    ...(rules && { runOnly: { type: 'rule', values: [...rules] } }),
  })
  const { violations } = await (within ? axe.include(within) : axe).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  )
}

/** Checks with axe, in both themes, that nothing on the page excludes anybody. */
export const expectAccessible = async (page: Page) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  expect(await findings(page)).toEqual([])
  // The other theme only changes colours.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  expect(await findings(page, ['color-contrast', 'link-in-text-block'])).toEqual([])
}
