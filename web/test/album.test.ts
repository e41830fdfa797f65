import { expect, test } from 'vitest'
import { blocksOf, heldBack } from '../src/gallery/blocks.ts'
import { filmOf, stillUrlOf } from '../src/gallery/film.ts'
import { withPhoto } from '../src/gallery/order.ts'
import { type Showing, showingOf } from '../src/gallery/showing.ts'
import { kindOf } from '../src/gallery/upload.ts'
import { begun, nextOf, noted, taken } from '../src/gallery/wall-turns.ts'

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
const idsAfter = (pages: Photo[][], added: Photo, showing?: Showing, more = false) =>
  withPhoto(listed(pages, more), added, showing).pages.map(page => page.data.map(({ id }) => Number(id)))

test('a photo comes to its place in every order', () => {
  expect(idsAfter([[photo(2), photo(1)]], photo(3))).toEqual([[3, 2, 1]])
  expect(idsAfter([[photo(1), photo(2)]], photo(3), { sort: 'oldest' })).toEqual([[1, 2, 3]])
  const late = photo(1, '20:00')
  const early = photo(2, '09:00')
  expect(idsAfter([[late], [early]], photo(3, '12:00'), { sort: 'taken_newest' })).toEqual([[1], [3, 2]])
  expect(idsAfter([[early, late]], photo(3, '12:00'), { sort: 'taken_oldest' })).toEqual([[2, 3, 1]])
  expect(idsAfter([[]], photo(1))).toEqual([[1]])
})

test('one that belongs behind what is loaded waits until that is loaded, and nobody sees one twice', () => {
  expect(idsAfter([[photo(1)]], photo(2), { sort: 'oldest' }, true)).toEqual([[1]])
  expect(idsAfter([[photo(1)]], photo(1))).toEqual([[1]])
})

test('the photos of one person stay those of one person', () => {
  expect(idsAfter([[photo(1)]], photo(2, null, 7), { by: 1 })).toEqual([[1]])
  expect(idsAfter([[photo(1)]], photo(2, null, 1), { by: 1 })).toEqual([[2, 1]])
})

test('an address that nobody gave out shows the whole album', () => {
  expect(showingOf({ sort: 'sideways', by: '-3' })).toEqual({})
  expect(showingOf({ sort: 'taken_newest', by: 12 })).toEqual({ sort: 'taken_newest', by: 12 })
})

test('what is new at the top leaves the blocks below as they are', () => {
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

test('only what came at the top since is held back', () => {
  expect(heldBack(['4', '3', '2'], new Set(['2', '1']), id => id)).toBe(2)
  expect(heldBack(['2', '1', '0'], new Set(['2', '1']), id => id)).toBe(0)
  expect(heldBack(['9'], new Set(), id => id)).toBe(0)
})

test('on the wall a new photo comes next, and the round goes on where it was', () => {
  let turns = taken(begun(['3', '2', '1']), '3')
  turns = noted(turns, ['5', '4', '3', '2', '1'])
  const seen = Array.from({ length: 5 }, () => {
    const id = nextOf(turns, ['5', '4', '3', '2', '1']) ?? ''
    turns = taken(turns, id)
    return id
  })
  expect(seen).toEqual(['4', '5', '2', '1', '5'])
})

test('on the wall older photos that are loaded later are not new, deleted ones never come, and what does not load is passed', () => {
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
      extra: { video: true, video_state: { state, poster_url: '/media/1/large' } },
    }) as Photo
  expect(filmOf(photo(1))).toBeUndefined()
  expect(filmOf(film('converting'))).toBeUndefined()
  expect(stillUrlOf(film('failed'))).toBe('/media/1')
  expect(filmOf(film('ready'))).toEqual({ url: '/media/1', poster: '/media/1/large' })
  expect(stillUrlOf(film('ready'))).toBe('/media/1/large')
})

test('a phone’s files are known by their names where the browser knows no type', () => {
  expect(kindOf({ type: '', name: 'IMG_1.HEIC' })).toBe('photo')
  expect(kindOf({ type: '', name: 'IMG_2.MOV' })).toBe('film')
  expect(kindOf({ type: 'video/quicktime', name: 'x' })).toBe('film')
  expect(kindOf({ type: 'application/pdf', name: 'menu.pdf' })).toBeUndefined()
})
