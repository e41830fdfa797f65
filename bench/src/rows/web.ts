import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { type Duel, type Side, Void } from '../figures.ts'
import { tokenOf } from '../fill/sessions.ts'
import { greatEvent } from '../fill/size.ts'
import type { RowGroup } from '../row-group.ts'
import { useForMinutes } from '../web/evening.ts'
import { firstLoad, usable } from '../web/first-load.ts'
import { scoresOf } from '../web/lighthouse.ts'
import { opening } from '../web/opening.ts'
import { openChromium } from '../web/phone.ts'
import { hangPictures } from '../web/pictures.ts'
import { lateMs, scrollThrough, type Way } from '../web/scrolling.ts'

/** In the first hundred events, the great one among them. */
const guest = 2
const chat = `/events/${greatEvent}/chat`
const gallery = `/events/${greatEvent}/photos`
/** One run differs from the next by five points: it multiplies by four what a busy machine adds. */
const lighthouseRuns = 3
const builtWithinMs = 120_000
const chatWay = {
  path: chat,
  box: '[role=log]',
  forward: -1,
  list: '/api/message/list',
  ready: () => document.querySelectorAll('[role=log] article').length > 5,
} satisfies Partial<Way>
const galleryWay = {
  path: gallery,
  forward: 1,
  list: '/api/gallery/photos',
  ready: () => document.querySelectorAll('a[data-photo]').length > 5,
} satisfies Partial<Way>

/** What somebody with a phone meets, in Debian's Chromium. Everything else on the machine is in these figures too. */
export const web: RowGroup = {
  ids: ['load.chat', 'load.gallery', 'scroll.chat', 'scroll.gallery', 'phone.chat', 'phone.gallery', 'lighthouse'].map(
    each => `web.${each}`,
  ),
  async *duels({ large: { service, db } }) {
    const origin = `http://127.0.0.1:${service.port}`
    await clientOf(origin)
    await hangPictures(db, service.port, guest)
    await readEverything(origin)
    const browser = await openChromium()
    try {
      for (const [page, path] of [
        ['chat', chat],
        ['gallery', gallery],
      ] as const)
        yield duel(
          {
            id: `web.load.${page}`,
            work: `first load of the ${page}, phone on 4G, until usable`,
            figure: 'time',
            floor: 2.5,
          },
          async () => ({
            time: await firstLoad(browser, { origin, path, userId: guest, ready: usable[page] }),
          }),
        )
      const ways: [string, Way][] = [
        ['10 000 messages', { ...chatWay, pages: 200 }],
        ['5 000 photos', { ...galleryWay, pages: 84 }],
      ]
      for (const [what, way] of ways) {
        const id = `web.scroll.${way.path === chat ? 'chat' : 'gallery'}`
        yield {
          goals: [
            {
              id,
              work: `${what} scrolled through and back, p95 of a frame`,
              ceiling: null,
              figure: 'frame',
              // A frame of 60 a second is 16.7 ms, give or take the clock's tenths; one that comes late is 33.
              floor: 17,
            },
            { id: `${id}.dropped`, work: 'frames that were not drawn in time', ceiling: null, figure: 'dropped' },
            {
              id: `${id}.growth`,
              work: 'heap that a stretch of it there and back added',
              ceiling: null,
              figure: 'memory',
              floor: 2,
            },
            { id: `${id}.heap`, work: 'heap afterwards', ceiling: null, figure: 'heap' },
          ],
          rounds: 1,
          ceiling: null,
          ours: sideOf(async () => {
            const { frame, dropped, growth, heap } = await scrollThrough(browser, origin, guest, way)
            return { frame, dropped, memory: growth, heap }
          }),
        }
      }
      // Both are longer than what is promised for 5 000 messages and 3 000 photos; so much of them is scrolled.
      const onPhone: ['chat' | 'gallery', string, Way][] = [
        ['chat', 'messages', { ...chatWay, pages: 20, slowly: true }],
        ['gallery', 'photos', { ...galleryWay, pages: 20, slowly: true }],
      ]
      for (const [page, what, way] of onPhone) {
        yield duel(
          {
            id: `web.phone.${page}`,
            work: `the long ${page}, from the tap at its event until usable, slow phone on 4G`,
            figure: 'time',
            floor: 1,
          },
          async () => ({
            time: await opening(browser, origin, guest, {
              from: `/events/${greatEvent}`,
              link: way.path,
              ready: usable[page],
            }),
          }),
        )
        yield duel(
          {
            id: `web.phone.${page}.late`,
            work: `20 pages of ${what} scrolled through and back on the slow phone, frames over ${lateMs} ms`,
            figure: 'late',
            floor: 1,
          },
          async () => ({ late: (await scrollThrough(browser, origin, guest, way)).late }),
          1,
        )
      }
    } finally {
      await browser.close()
    }
    const pages: [string, string, number | null][] = [
      ['signing in', '/sign-in', null],
      ['joining by a code', `/j/${await codeOf(origin, db)}`, null],
      ['events', '/events', guest],
      ['an event', `/events/${greatEvent}`, guest],
      ['chat', chat, guest],
      ['gallery', gallery, guest],
    ]
    for (const [name, path, userId] of pages)
      yield duel(
        {
          id: `web.lighthouse.${name.split(' ').at(-1)}`,
          work: `Lighthouse, ${name}, the lowest of its four scores`,
          figure: 'score',
          floor: 95,
        },
        async () => {
          const scores = await scoresOf(origin, path, userId)
          console.error(`  ${path}: ${[...scores].map(each => each.join(' ')).join(', ')}`)
          return { score: Math.min(...scores.values()) }
        },
        lighthouseRuns,
      )
  },
}

const minutes = 10

/** What a page holds that is used for ten minutes. Only when it is named: `--only P36.web`. */
export const webMemory: RowGroup = {
  ids: ['P36.web', 'P36.web.slope'],
  onlyWhenNamed: true,
  async *duels({ large: { service, db } }) {
    const origin = `http://127.0.0.1:${service.port}`
    await clientOf(origin)
    await hangPictures(db, service.port, guest)
    const browser = await openChromium()
    yield {
      goals: [
        {
          id: 'P36.web',
          work: `heap of a page after ${minutes} minutes of use, as a multiple of the first minute's`,
          ceiling: null,
          figure: 'held',
          floor: 1.5,
        },
        { id: 'P36.web.slope', work: 'how it grows in the last five', ceiling: null, figure: 'slope', floor: 1 },
      ],
      rounds: 1,
      ceiling: null,
      ours: sideOf(async () => useForMinutes(browser, origin, { userId: guest, event: greatEvent, minutes })),
      end: () => browser.close(),
    }
  },
}

const duel = (goal: Omit<Duel['goals'][0], 'ceiling'>, run: Side['run'], rounds?: number): Duel => ({
  goals: [{ ...goal, ceiling: null }],
  ceiling: null,
  ours: sideOf(run),
  ...(rounds !== undefined && { rounds }),
})

/** Each run is a first one. */
const sideOf = (run: Side['run']): Side => ({ run, warm: async () => {} })

/** Waits until the service has built its client. */
const clientOf = async (origin: string) => {
  const givesUpAt = Date.now() + builtWithinMs
  while ((await fetch(origin)).status !== 200) {
    if (Date.now() > givesUpAt) throw new Void('the web client was not built')
    await sleep(250)
  }
}

/** Of a link that lets people into the great event, made by its organizer. */
const codeOf = async (origin: string, db: Client): Promise<string> => {
  const { rows } = await db.query("select user_id from guests where event_id = $1 and role <> 'guest' limit 1", [
    greatEvent,
  ])
  const reply = await fetch(`${origin}/api/event/link`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${tokenOf(Number(rows[0].user_id))}` },
    body: JSON.stringify({ event_id: greatEvent }),
  })
  if (!reply.ok) throw new Void(`the link was answered ${reply.status}: ${await reply.text()}`)
  return ((await reply.json()) as { link_code: string }).link_code
}

/** Or the chat would open at the first of many unread messages, and not at its end. */
const readEverything = async (origin: string) => {
  const headers = { authorization: `Bearer ${tokenOf(guest)}` }
  const list = await fetch(`${origin}/api/message/list?group_chat_id=${greatEvent}&page=1&page_length=1`, { headers })
  const { data } = (await list.json()) as { data: [{ id: string }] }
  const { status } = await fetch(`${origin}/api/message/seen/${data[0].id}`, { method: 'PUT', headers })
  if (status !== 200) throw new Void(`the newest message of the chat could not be marked as seen: ${status}`)
}
