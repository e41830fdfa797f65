import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../../server/test/app.ts'
import { enter, type Member } from '../../../server/test/cast.ts'
import { compiled } from '../../../server/test/compiled.ts'
import { openCuttingProxy } from '../../../server/test/cutting-proxy.ts'
import { filmTool, iphoneMov, mp4 } from '../../../server/test/films.ts'
import { full } from '../../../server/test/full.ts'
import { needing } from '../../../server/test/needing.ts'
import { newFolder } from '../../../server/test/new-folder.ts'
import { type Node, openNodes } from '../../../server/test/nodes.ts'
import { evening } from '../../../server/test/party.ts'
import { jpeg } from '../../../server/test/pictures.ts'
import { raw } from '../../../server/test/raw.ts'
import { ffmpeg } from '../../../server/test/tools.ts'

/** A photographer's photos, in full size. */
const { files, cuts, kills } = full ? { files: 2000, cuts: 20, kills: 3 } : { files: 24, cuts: 3, kills: 1 }
/** Larger than a form allows: they are sent in sessions. */
const largeEvery = 12

const folder = newFolder('cli')
const program = new URL('./main.ts', import.meta.url).pathname

/** The program as people run it, with its state in a folder of its own. */
const begin = (args: string[], env: Record<string, string> = {}) => {
  const child = spawn(process.execPath, [program, 'upload', ...args], {
    env: { PATH: process.env.PATH ?? '', XDG_STATE_HOME: join(folder, 'state'), ...compiled, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>(resolve => child.once('exit', resolve)),
  ]).then(([said, told, code]) => ({ said, told, code }))
  return { child, ended }
}
const afterglow = (args: string[], env: Record<string, string> = {}) => begin(args, env).ended

const sumOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const fill = async (name: string, count: number, from = 0) => {
  const path = join(folder, name)
  const sums = new Map<string, string>()
  for (let at = 0; at < count; at++) {
    const card = join(path, `${100 + Math.floor(at / 500)}CANON`)
    await mkdir(card, { recursive: true })
    const isLarge = at % largeEvery === largeEvery - 1
    const size = isLarge ? { width: 1800, height: 1400, grain: 60 } : { width: 96, height: 64 }
    const bytes = await jpeg({ ...size, seed: from + at + 1 })
    await writeFile(join(card, `IMG_${at}.JPG`), bytes)
    // The extension that fits its content.
    sums.set(`IMG_${at}.jpg`, sumOf(bytes))
  }
  return { path, sums }
}

describe('a folder', () => {
  const albumAt = async (node: Node, { token }: Member, event_id: number) => {
    const photos = []
    for (let page = 1; ; page++) {
      const list = await node.withExtra(token).gallery.listPhotos({ event_id, page, page_length: 100 })
      photos.push(...list.data)
      if (!list.next_page_url) return photos
    }
  }

  test('arrives once and as it is, through cut connections, killed servers and a killed program', {
    tags: 'slow',
    timeout: 3_600_000,
  }, async () => {
    const { first, again } = await openNodes({ PHOTOS_PER_GUEST: '5000' })
    const olivia = await enter(first, 'olivia')
    const { id: event_id } = await olivia.api.events.saveEvent(evening())
    const { path, sums } = await fill('card', files)
    let bytes = 0
    for (const name of sums.keys())
      bytes += (
        await readFile(join(path, `${100 + Math.floor(Number(/\d+/.exec(name)?.[0]) / 500)}CANON`, name.toUpperCase()))
      ).length
    const cutAt = Array.from({ length: cuts }, (_, cut) => Math.floor((bytes * (cut + 0.5)) / cuts))
    let node = first
    const proxy = await openCuttingProxy(() => Number(new URL(node.url).port), cutAt)
    const args = [path, '--event', `${proxy.url}/events/${event_id}`]
    const began = performance.now()
    const one = begin(args, { AFTERGLOW_TOKEN: olivia.token })
    for (let kill = 0; kill < kills; kill++) {
      while (proxy.passed() < (bytes * (kill + 1)) / (kills + 2)) await sleep(20)
      await node.kill()
      await sleep(1000)
      node = await again(node)
    }
    while (proxy.passed() < (bytes * (kills + 1)) / (kills + 2)) await sleep(20)
    one.child.kill('SIGKILL')
    await one.ended
    const { said, code } = await afterglow(args, { AFTERGLOW_TOKEN: olivia.token })
    const [, safe = '', before = ''] = /^([\d,]+) safe, ([\d,]+) were there before, 0 refused$/m.exec(said) ?? []
    const numberOf = (words: string) => Number(words.replace(',', ''))
    expect([numberOf(safe) + numberOf(before), code]).toEqual([files, 0])
    expect(numberOf(before)).toBeGreaterThan(0)
    console.log(
      `${files} files, ${(bytes / 1e6).toFixed(0)} MB: in ${((performance.now() - began) / 1000).toFixed(0)} s, ${proxy.cuts()} cuts, ${kills} kills, ${(proxy.passed() / bytes).toFixed(2)} times the bytes`,
    )
    expect(proxy.cuts()).toBeGreaterThanOrEqual(cuts)

    const album = await albumAt(node, olivia, event_id)
    expect(album.length).toBe(files)
    // Under its camera's name, with the exact bytes: these pictures have no metadata to remove.
    for (const { extra } of album) {
      const original = extra?.original
      const arrived = new Uint8Array(
        await (await fetch(original?.url.replace(/^https?:\/\/[^/]+/, node.url) ?? '')).arrayBuffer(),
      )
      expect([original?.name, sumOf(arrived)]).toEqual([original?.name, sums.get(original?.name ?? '')])
    }
    expect(new Set(album.map(({ extra }) => extra?.original?.name)).size).toBe(files)
    const once = await afterglow(args, { AFTERGLOW_TOKEN: olivia.token })
    expect(once).toMatchObject({
      code: 0,
      said: `0 safe, ${files.toLocaleString('en')} were there before, 0 refused\n`,
    })
    await proxy.close()
  })
})

describe('the program', async () => {
  const rawBytesMax = 6 * 1024 * 1024
  const app = await openTestApp({ photosPerGuest: 3, rawBytesMax })
  const olivia = await enter(app, 'olivia')
  const party = async () => {
    const { id } = await olivia.api.events.saveEvent(evening())
    const { link_code } = await olivia.api.links.makeLink({ event_id: id })
    const count = async () =>
      (await olivia.api.gallery.listPhotos({ event_id: id, page: 1, page_length: 100 })).data.length
    return { id, count, link: `${app.url}/j/${link_code}` }
  }

  test('comes in by a link as a guest, once, leaves other files where they are and tells before it sends', async () => {
    const { id, link, count } = await party()
    const { path } = await fill('mixed', 2)
    await writeFile(join(path, '100CANON', '._IMG_0.JPG'), 'what a Mac leaves')
    await writeFile(join(path, 'notes.txt'), 'no photo')
    const args = [path, '--link', link, '--name', 'Petra Photo']
    expect(await afterglow([...args, '--dry-run'])).toMatchObject({
      code: 0,
      said: expect.stringMatching(
        /^(?:left out: ".*(?:\._IMG_0\.JPG|notes\.txt)": It is not a photo or video of a type that is taken\.\n){2}2 would be sent \([\d.]+ kB\), 0 are there already\.\n$/,
      ),
    })
    expect(await count()).toBe(0)
    const sent = { code: 0, said: expect.stringMatching(/notes\.txt.*\n2 safe, 0 were there before, 0 refused\n$/) }
    expect(await afterglow(args)).toMatchObject(sent)
    expect(await afterglow([path, '--link', link])).toMatchObject({
      code: 0,
      said: expect.stringMatching(/notes\.txt.*\n0 safe, 2 were there before, 0 refused\n$/),
    })
    expect(await count()).toBe(2)
    const { data } = await olivia.api.events.listGuests({ event_id: id, page: 1, page_length: 10 })
    expect(data.map(({ user }) => user.user_first_name)).toEqual(['Olivia', 'Petra'])
  })

  test('comes in by the photographer’s link for as long as that is open', async () => {
    const { id: event_id } = await party()
    const made = await app.withExtra(olivia.token).links.makeLink({ event_id, kind: 'drop', photographer: true })
    const { path } = await fill('photographer', 1, 200)
    const args = [path, '--link', `${app.url}/j/${made.link_code}`, '--name', 'Photographer']
    expect(await afterglow(args)).toMatchObject({ code: 0, said: '1 safe, 0 were there before, 0 refused\n' })
    const onPaper = `${app.url}/${made.extra?.short_code?.toLowerCase()}`
    expect(await afterglow([path, '--link', onPaper, '--name', 'Photographer', '--dry-run'])).toMatchObject({ code: 0 })
    const { data } = await app.withExtra(olivia.token).gallery.listPhotos({ event_id, page: 1, page_length: 10 })
    expect(data).toMatchObject([{ taken_by: { user_first_name: 'Photographer' }, extra: { photographer: true } }])
    await olivia.api.links.revokeLink({ link_id: made.id })
    expect((await afterglow(args)).code).toBe(2)
  })

  test('sends a RAW with the JPEG of its name, and adds it to one that is there', { tags: 'slow' }, async () => {
    const { link, count } = await party()
    const { path } = await fill('pairs', 2, 300)
    const rawFile = async (number: number) =>
      writeFile(
        join(path, '100CANON', `img_${number}.CR2`),
        raw('cr2', { preview: await jpeg({ seed: 900 + number }) }),
      )
    await rawFile(0)
    const args = [path, '--link', link, '--name', 'Petra']
    const told =
      '1 RAW files go along as the camera wrote them, place included; you and organizers can download them.\n'
    const saying = (said: string) => ({ code: 0, said: `${told}${said}\n` })
    expect(await afterglow(args)).toMatchObject(saying('2 safe, 0 were there before, 0 refused'))
    await rawFile(1)
    expect(await afterglow(args)).toMatchObject(saying('1 safe, 1 were there before, 0 refused'))
    expect(await afterglow(args)).toMatchObject({ code: 0, said: '0 safe, 2 were there before, 0 refused\n' })
    expect(await count()).toBe(2)
  })

  test('leaves out a RAW that is refused, by whichever way it goes, and sends its JPEG', async () => {
    const { link, count } = await party()
    const { path } = await fill('refused', 2, 400)
    const large = raw('cr2', { preview: await jpeg({ seed: 950 }), noise: rawBytesMax / 2 })
    await writeFile(join(path, '100CANON', 'IMG_0.CR2'), large)
    await writeFile(join(path, '100CANON', 'IMG_1.CR2'), 'no RAW')
    const { code, said, told } = await afterglow([path, '--link', link, '--name', 'Petra'])
    expect({ code, said }).toEqual({
      code: 1,
      said: expect.stringMatching(/\n2 safe, 0 were there before, 2 refused\n$/),
    })
    expect(told).toContain('IMG_0.CR2": It is too big.')
    expect(told).toContain('IMG_1.CR2": It is not a photo or video of a type')
    expect(await count()).toBe(2)
  })

  needing(ffmpeg).test(
    'sends films, by themselves and from folders, and tells what is wrong with which',
    { tags: 'slow' },
    async () => {
      const app = await openTestApp({ videoBytesMax: 1024 * 1024 }, { video: await filmTool() })
      const olivia = await enter(app, 'olivia')
      const { id } = await olivia.api.events.saveEvent(evening())
      const path = join(folder, 'films', 'DCIM', '100APPLE')
      await mkdir(path, { recursive: true })
      const clip = join(folder, 'clip.M4V')
      await writeFile(clip, await mp4({ seconds: 2 }))
      await writeFile(join(path, 'IMG_7.MOV'), await iphoneMov())
      await writeFile(join(path, 'IMG_8.3gp'), await mp4())
      const args = [join(folder, 'films'), clip, '--event', `${app.url}/events/${id}`]
      const env = { AFTERGLOW_TOKEN: olivia.token }
      expect(await afterglow(args, env)).toMatchObject({ code: 0, said: '3 safe, 0 were there before, 0 refused\n' })
      const photos = async () =>
        (await olivia.extra.gallery.listPhotos({ event_id: id, page: 1, page_length: 100 })).data
      expect((await photos()).map(({ extra }) => extra?.video)).toEqual([true, true, true])
      // The still that the command sends shows nothing: the service takes one from the film.
      await expect
        .poll(async () => (await photos()).map(({ extra }) => extra?.video_state?.state))
        .toEqual(['ready', 'ready', 'ready'])
      expect((await photos()).map(({ extra }) => extra?.width).toSorted()).toEqual([96, 96, 96])

      await writeFile(join(path, 'IMG_9.mp4'), 'no film')
      const again = await afterglow(args, env)
      expect({ code: again.code, said: again.said }).toEqual({
        code: 1,
        said: '0 safe, 3 were there before, 1 refused\n',
      })
      expect(again.told).toContain('IMG_9.mp4": It is not a photo or video of a type')
    },
  )

  test('stops at the most that one may add, and goes on when more are allowed', async () => {
    const { id, link, count } = await party()
    const { path } = await fill('many', 6, 100)
    const args = [path, '--link', link, '--name', 'Petra']
    const stopped = await afterglow(args)
    expect(stopped).toMatchObject({
      code: 3,
      said: `3 safe, 0 were there before, 0 refused
You have added as many photos as you may. An organizer can allow you more. 3 files wait: the same command goes on with them.
`,
    })
    const { data } = await olivia.api.events.listGuests({ event_id: id, page: 1, page_length: 10 })
    await olivia.api.gallery.allowPhotos({ event_id: id, user_id: data[1]?.user.id ?? 0, photos_max: 6 })
    expect(await afterglow(args)).toMatchObject({ code: 0, said: '3 safe, 3 were there before, 0 refused\n' })
    expect(await count()).toBe(6)
  })

  test('whose service has a name that leads nowhere is told so within five seconds', async () => {
    const began = performance.now()
    const { told, code } = await afterglow([folder, '--link', 'https://nowhere.invalid/j/abc', '--name', 'Petra'])
    expect(told).toContain('The name nowhere.invalid leads nowhere')
    expect(code).toBe(4)
    expect(performance.now() - began).toBeLessThan(10_000)
  })

  test('names each file that ends before its picture does', async () => {
    const { link, count } = await party()
    const path = join(folder, 'halves')
    await mkdir(path)
    const whole = await jpeg({ width: 320, height: 240, seed: 800 })
    await writeFile(join(path, 'half.jpg'), whole.subarray(0, whole.length / 2))
    const { code, said, told } = await afterglow([path, '--link', link, '--name', 'Petra'])
    expect({ code, said }).toEqual({ code: 0, said: '1 safe, 0 were there before, 0 refused\n' })
    expect(told).toContain('half.jpg": The file ends too early.')
    expect(await count()).toBe(1)
  })

  test('names each file that is refused, and why', async () => {
    const { link } = await party()
    const { path } = await fill('damaged', 1, 200)
    await writeFile(join(path, 'a\u202egpj\n.jpg'), 'no picture')
    const { code, said, told } = await afterglow([path, '--link', link, '--name', 'Petra'])
    expect({ code, said }).toEqual({ code: 1, said: '1 safe, 0 were there before, 1 refused\n' })
    expect(told).toContain(
      `refused: ${JSON.stringify(join(path, 'a\u202egpj\n.jpg'))}: It is not a photo or video of a type`,
    )
  })

  test.each([
    { args: [], said: /Name a folder/ },
    { args: ['.'], said: /Say which event/ },
    { args: ['.', '--event', '12'], said: /Say who you are/ },
    { args: ['.', '--event', '12', '--token', 'x'], said: /Say where the service is/ },
    { args: ['.', '--nonsense'], said: /nonsense/ },
    { args: ['/nowhere', '--link', `${app.url}/j/x`], said: /There is no \/nowhere/ },
    { args: [folder, '--link', `${app.url}/j/nobody`, '--name', 'Petra'], said: /Link not found/ },
    { args: [folder, '--event', `${app.url}/events/1`, '--token', 'nobody'], said: /Unauthenticated/ },
  ])('ends with 2 where it was asked wrongly: $said', async ({ args, said }) => {
    const { code, told } = await afterglow(args)
    expect({ code, told }).toEqual({ code: 2, told: expect.stringMatching(said) })
  })
})
