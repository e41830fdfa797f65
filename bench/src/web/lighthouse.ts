import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse from 'lighthouse'
import { Void } from '../figures.ts'
import { openProfile, sessionOf } from './phone.ts'

const categories = ['performance', 'accessibility', 'best-practices', 'seo']

/** The scores of one page by category, out of 100, on the phone and network that Lighthouse imagines. */
export const scoresOf = async (origin: string, path: string, userId: number | null): Promise<Map<string, number>> => {
  const directory = mkdtempSync(join(tmpdir(), 'afterglow-lighthouse-'))
  const port = await freePort()
  const profile = await openProfile(directory, [`--remote-debugging-port=${port}`])
  try {
    if (userId !== null) {
      const page = await profile.newPage()
      // A page without a script of ours, so that nothing is kept but the session.
      await page.goto(`${origin}/robots.txt`)
      await page.evaluate(session => localStorage.setItem('afterglow.session', session), sessionOf(userId))
      await page.close()
    }
    const result = await lighthouse(origin + path, { port, logLevel: 'silent', onlyCategories: categories })
    if (!result || result.lhr.runtimeError) throw new Void(`${path}: ${result?.lhr.runtimeError?.message}`)
    const { lhr } = result
    tellFaults(path, lhr)
    return new Map(categories.map(name => [name, Math.round((lhr.categories[name]?.score ?? 0) * 100)]))
  } finally {
    await profile.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

type Result = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr']

/** What cost a category points, except for performance, whose audits weigh nothing by themselves. */
const tellFaults = (path: string, { categories, audits }: Result) => {
  for (const { id, score, auditRefs } of Object.values(categories)) {
    if (score === 1) continue
    const faults = auditRefs
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
      .map(({ id }) => [id, audits[id]?.displayValue, whereOf(audits[id]?.details)].filter(Boolean).join(' '))
    console.error(`  ${path} ${id} ${Math.round((score ?? 0) * 100)}: ${faults.join(', ')}`)
  }
}

/** The first element concerned, if it is one of elements. */
const whereOf = (details: unknown): string | undefined =>
  (details as { items?: { node?: { snippet?: string } }[] } | undefined)?.items?.[0]?.node?.snippet

const freePort = () =>
  new Promise<number>(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
