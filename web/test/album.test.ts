import { kindOf } from '@afterglow/sdk/files'
import { expect, test } from 'vitest'
import { blocksOf, heldBack, laidOut, unchanged } from '../src/gallery/blocks.ts'
import { filmOf, stillUrlOf } from '../src/gallery/film.ts'
import { withPhoto } from '../src/gallery/order.ts'
import { type PhotoFilter, showingOf } from '../src/gallery/photo-filter.ts'
import { sectionsOf } from '../src/gallery/sections.ts'
import { begun, nextOf, noted, taken } from '../src/wall/wall-turns.ts'

type Photo = Parameters<typeof withPhoto>[1]

const photo = (id: number, takenAt: string | null = null, by = 1) =>
  ({
    id: String(id),
    taken_by: { id: by },
    created_at: `2026-06-21T10:00:0${id}.000Z`,
    extra: { taken_at: takenAt && `2026-06-21T${takenAt}:00.000Z` },
  }) as Photo
const listed = (pages: Photo[][], more = false) => ({
  pageParams: [1],
  pages: pages.map((data, at) => ({
    data,
    current_page: at + 1,
    next_page_url: more || at < pages.length - 1 ? '/next' : null,
  })),
})
const idsAfter = (pages: Photo[][], added: Photo, showing?: PhotoFilter, more = false) =>
  withPhoto(listed(pages, more), added, showing).pages.map(page => page.data.map(({ id }) => Number(id)))

test('a photo takes its place in every order', () => {
  expect(idsAfter([[photo(2), photo(1)]], photo(3))).toEqual([[3, 2, 1]])
  expect(idsAfter([[photo(1), photo(2)]], photo(3), { sort: 'oldest' })).toEqual([[1, 2, 3]])
  const late = photo(1, '20:00')
  const early = photo(2, '09:00')
  expect(idsAfter([[late], [early]], photo(3, '12:00'), { sort: 'taken_newest' })).toEqual([[1], [3, 2]])
  expect(idsAfter([[early, late]], photo(3, '12:00'), { sort: 'taken_oldest' })).toEqual([[2, 3, 1]])
  expect(idsAfter([[]], photo(1))).toEqual([[1]])
})

test('a photo beyond the loaded part waits until that is loaded, and no photo appears twice', () => {
  expect(idsAfter([[photo(1)]], photo(2), { sort: 'oldest' }, true)).toEqual([[1]])
  expect(idsAfter([[photo(1)]], photo(1))).toEqual([[1]])
})

test('one person’s album takes only their photos', () => {
  expect(idsAfter([[photo(1)]], photo(2, null, 7), { by: 1 })).toEqual([[1]])
  expect(idsAfter([[photo(1)]], photo(2, null, 1), { by: 1 })).toEqual([[2, 1]])
})

test('an unknown address shows the whole album', () => {
  expect(showingOf({ sort: 'sideways', by: '-3' })).toEqual({})
  expect(showingOf({ sort: 'taken_newest', by: 12 })).toEqual({ sort: 'taken_newest', by: 12 })
})

test('a new photo at the top leaves the blocks below unchanged', () => {
  const ids = Array.from({ length: 130 }, (_, at) => String(at))
  const before = blocksOf([ids], id => id)
  const after = blocksOf(
    [
      ['new', ...ids],
      ['129', '130'],
    ],
    id => id,
  )
  expect(before.map(block => block.length)).toEqual([10, 20, 20, 20, 20, 20, 20])
  expect(after.slice(1, 7)).toEqual(before.slice(1))
  expect(after[7]).toEqual(['130'])
})

test('a further page, or a change in one block, keeps the other blocks the same objects', () => {
  const photos = Array.from({ length: 60 }, (_, at) => photo(at))
  const idOf = ({ id }: Photo) => id
  const before = blocksOf([photos], idOf)
  const liked = photos.map(each => (each.id === '25' ? { ...each, liked: true } : each))
  const after = unchanged(before, blocksOf([liked, [photo(100)]], idOf))
  expect(after.map((block, at) => block === before[at])).toEqual([true, false, true, false])
  expect(after[1]?.[5]).toMatchObject({ liked: true })
})

const shapes = [
  [4000, 3000],
  [3000, 4000],
  [1920, 1080],
  [9000, 900],
  [500, 5000],
]
const sized = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    const [width = 1, height = 1] = shapes[at % shapes.length] ?? []
    return { id: String(at), extra: { width, height } }
  })

test.each([360, 412, 820, 1400])('every row of a block fills a page of %s pixels, none too low or too high', width => {
  const { rows, height } = laidOut(sized(20), width)
  expect(rows.flat().map(({ photo }) => photo.id)).toEqual(sized(20).map(({ id }) => id))
  const between = width < 640 ? 3 : 8
  for (const row of rows) {
    expect(row.reduce((sum, each) => sum + each.width + between, -between)).toBeCloseTo(width)
    expect(new Set(row.map(each => each.height)).size).toBe(1)
  }
  const heights = rows.map(([first]) => first?.height ?? 0)
  expect(Math.max(...heights) / Math.min(...heights)).toBeLessThan(2.5)
  expect(heights.reduce((sum, each) => sum + each + between, -between)).toBeCloseTo(height)
})

test.each([320, 390, 820, 1400])('few photos fill their rows on a page of %s pixels, large and not endless', width => {
  for (const count of [1, 2, 3, 4, 5])
    for (const row of laidOut(sized(count), width).rows) {
      const between = width < 640 ? 3 : 8
      expect(row.reduce((sum, each) => sum + each.width + between, -between)).toBeCloseTo(width)
      expect(row[0]?.height).toBeLessThanOrEqual(600)
    }
  expect(laidOut(sized(1), width).rows[0]?.[0]?.height).toBeGreaterThanOrEqual(240)
})

test.each([1, 7, 19, 20, 21, 27, 28, 41, 47, 48, 60])(
  'no block of %s photos in a row leaves a gap at its top',
  count => {
    const ids = Array.from({ length: count }, (_, at) => String(at))
    const blocks = blocksOf([ids], id => id)
    expect(blocks.flat()).toEqual(ids)
    if (count > 20) expect(Math.min(...blocks.map(block => block.length))).toBeGreaterThanOrEqual(8)
    expect(Math.max(...blocks.map(block => block.length))).toBeLessThan(28)
  },
)

test('only photos added at the top since are held back', () => {
  expect(heldBack(['4', '3', '2'], new Set(['2', '1']), id => id)).toBe(2)
  expect(heldBack(['2', '1', '0'], new Set(['2', '1']), id => id)).toBe(0)
  expect(heldBack(['9'], new Set(), id => id)).toBe(0)
})

test('the wall shows a new photo next, and then continues its rotation', () => {
  let turns = taken(begun(['3', '2', '1']), '3')
  turns = noted(turns, ['5', '4', '3', '2', '1'])
  const seen = Array.from({ length: 5 }, () => {
    const id = nextOf(turns, ['5', '4', '3', '2', '1']) ?? ''
    turns = taken(turns, id)
    return id
  })
  expect(seen).toEqual(['4', '5', '2', '1', '5'])
})

test('the wall takes older photos loaded later not as new, and skips deleted and unloadable ones', () => {
  const turns = noted(begun(['9']), ['9', '2', '1'])
  expect(turns.fresh).toEqual([])
  expect(noted({ ...turns, fresh: ['7'] }, ['9']).fresh).toEqual([])
  expect(nextOf(turns, ['9', '2', '1'], new Set(['9', '2']))).toBe('1')
  expect(nextOf(turns, ['9'], new Set(['9']))).toBeUndefined()
})

test('a film is its still until it is ready, and a film then', () => {
  const film = (state: string) =>
    ({
      ...photo(1),
      event_photo_url: '/media/1',
      extra: { screen_url: '/media/1/screen', video: true, video_state: { state, poster_url: '/media/1/large' } },
    }) as Photo
  expect(filmOf(photo(1))).toBeUndefined()
  expect(filmOf(film('converting'))).toBeUndefined()
  expect(stillUrlOf(film('failed'))).toBe('/media/1/screen')
  expect(filmOf(film('ready'))).toEqual({ url: '/media/1', poster: '/media/1/large' })
  expect(stillUrlOf(film('ready'))).toBe('/media/1/large')
})

test('a phone’s files are recognized by name if the browser knows no type', () => {
  expect(kindOf({ type: '', name: 'IMG_1.HEIC' })).toBe('photo')
  expect(kindOf({ type: '', name: 'IMG_2.MOV' })).toBe('video')
  expect(kindOf({ type: 'video/quicktime', name: 'x' })).toBe('video')
  expect(kindOf({ name: '._DSC_0412.JPG' })).toBeUndefined()
  expect(kindOf({ type: 'application/pdf', name: 'menu.pdf' })).toBeUndefined()
})

const added = (id: number, moment: string) => ({ ...photo(id), created_at: new Date(moment).toISOString() })

test('days have headings, and so have busy hours', () => {
  const dance = Array.from({ length: 9 }, (_, at) => added(60 - at, '2026-06-21T22:10:00'))
  const dinner = Array.from({ length: 8 }, (_, at) => added(40 - at, '2026-06-21T20:10:00'))
  const photos = [added(70, '2026-06-22T00:10:00'), ...dance, added(50, '2026-06-21T21:10:00'), ...dinner]
  const sections = sectionsOf(photos, {})
  const headings = [...new Set(sections.values())].map(({ key, count }) => [key, count])
  expect(headings).toEqual([
    ['2026-06-22', 1],
    ['2026-06-21', 18],
    ['2026-06-21 20', 8],
  ])
  const blocks = blocksOf(
    [photos],
    ({ id }) => id,
    ({ id }) => sections.get(id)?.key,
  )
  expect(blocks.map(block => block.length)).toEqual([1, 10, 8])
})

test('an album by capture time has headings by capture time', () => {
  const late = photo(1, '20:00')
  expect([...sectionsOf([late], { sort: 'taken_newest' }).values()][0]?.at).toBe(late.extra?.taken_at)
  expect([...sectionsOf([late], {}).values()][0]?.at).toBe(late.created_at)
})
