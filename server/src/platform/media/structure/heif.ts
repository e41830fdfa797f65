import { type Box, boxAt, boxesIn, filmWithin } from './boxes.ts'
import { demand, gather, type Stretch } from './pieces.ts'
import type { Structure } from './read-structure.ts'

/*
 * HEIC and AVIF. Positions in a file count from its start, so nothing moves: dropped data is overwritten with zeros,
 * and dropped boxes are renamed `free`. Only the data of pictures stays.
 */

const pictures = new Set(['hvc1', 'hev1', 'av01', 'grid', 'iden', 'iovl', 'tmap'])
const keptInMeta = new Set(['pitm', 'grpl'])
const keptProperties = new Set(
  'ispe pixi colr hvcC av1C lhvC irot imir clap pasp auxC clli mdcv cclv amve lsel oinf tols a1op a1lx rloc iscl reve ndwt'.split(
    ' ',
  ),
)
/**
 * Text by people and cameras about pictures. Any other unknown property may be needed: such files are not handed out.
 */
const wordyProperties = new Set(['udes', 'altt', 'crtt', 'mdft', 'uuid', 'free', 'skip', 'iptc'])
const filmBytesMax = 16 * 1024 * 1024
const free = Buffer.from('free')

type Range = { from: number; to: number }
type Change = Range & { bytes: Buffer | null }

export const readHeif = (file: Buffer): Structure => {
  const boxes = topBoxes(file)
  const [ftyp, ...others] = boxes
  const metas = others.filter(({ type }) => type === 'meta')
  const [meta] = metas
  demand(ftyp?.type === 'ftyp' && metas.length === 1 && meta !== undefined && !meta.toTheEnd, 'no picture')
  const data = others.filter(({ type }) => type === 'mdat')
  const within = others.find(({ type, at, end }) => type === 'mpvd' && end - at <= filmBytesMax)
  const sequence = others.find(({ type }) => type === 'moov')

  const { changes, extents } = readMeta(file, meta)
  const last = data.at(-1)
  // Data without a length continues to the end of the file, and needs no more than its pictures.
  const dataEnd = last?.toTheEnd ? Math.max(last.body, ...extents.map(({ to }) => to)) : (last?.end ?? 0)
  demand(
    extents.every(
      ({ from, to }) => (to <= meta.end && from >= meta.at) || data.some(box => from >= box.body && to <= box.end),
    ),
    'data elsewhere',
  )
  const boxed = Math.max(ftyp.end, meta.end, dataEnd, within?.end ?? 0, sequence?.end ?? 0)
  // In a box of its own, or simply behind the picture.
  const behind = within ? null : filmWithin(file, boxed)
  const film = behind && behind[1] - boxed <= filmBytesMax ? behind : null
  const end = film?.[1] ?? boxed
  // A sequence is a film itself.
  const own: Stretch | null = sequence ? [0, end] : null
  const moment = within ? filmWithin(file, within.body, within.end) : (film ?? own)
  if (sequence || data.slice(0, -1).some(({ toTheEnd }) => toTheEnd)) return { end, pieces: null, film: moment }

  for (const box of data) changes.push(...unused({ from: box.body, to: Math.min(box.end, dataEnd) }, extents))
  const shown = Math.max(meta.end, dataEnd)
  for (const box of others) if (box !== meta && box.type !== 'mdat' && box.at < shown) changes.push(...blanked(box))
  return { end, pieces: changed(file, shown, changes), film: moment }
}

/** As far as there are boxes of one file: anything after them was not declared. */
const topBoxes = (file: Buffer): Box[] => {
  const boxes: Box[] = []
  for (let at = 0; ; ) {
    const box = boxAt(file, at, file.length)
    if (!box || (box.type === 'ftyp' && at > 0)) return boxes
    boxes.push(box)
    at = box.end
  }
}

const readMeta = (file: Buffer, meta: Box) => {
  const children = boxesIn(file, meta.body + 4, meta.end)
  demand(children !== null, 'boxes that do not end')
  const changes: Change[] = []
  const the = (type: string) => {
    const found = children.filter(box => box.type === type)
    demand(found.length <= 1, 'a box twice')
    return found[0]
  }
  const [items, places, references, properties, idat] = ['iinf', 'iloc', 'iref', 'iprp', 'idat'].map(the)
  demand(items !== undefined && places !== undefined && properties !== undefined, 'no items')

  const thumbnails = references ? readReferences(file, references, changes) : new Set<number>()
  const kept = readItems(file, items, thumbnails, changes)
  readProperties(file, properties, changes)
  const extents = readPlaces(file, places, idat)
    .filter(({ item }) => kept.has(item))
    .map(({ from, to }) => ({ from, to }))
  if (idat) changes.push(...unused({ from: idat.body, to: idat.end }, extents))

  const known = new Set([items, places, references, properties, idat])
  for (const box of children) {
    if (known.has(box) || keptInMeta.has(box.type)) continue
    // Its handler, without the name.
    if (box.type === 'hdlr') changes.push(zeros(Math.min(box.body + 24, box.end), box.end))
    // For data in this very file: a box without text.
    else if (box.type !== 'dinf' || box.end - box.at !== 36) changes.push(...blanked(box))
  }
  return { changes, extents }
}

/** The thumbnail items; their references are dropped. */
const readReferences = (file: Buffer, { body, end }: Box, changes: Change[]) => {
  const thumbnails = new Set<number>()
  const bytes = file[body] === 0 ? 2 : 4
  for (const box of demanded(boxesIn(file, body + 4, end))) {
    if (box.type !== 'thmb') continue
    thumbnails.add(file.readUIntBE(box.body, bytes))
    changes.push({ from: box.at + 4, to: box.at + 8, bytes: free })
  }
  return thumbnails
}

/** The items that are pictures. All others lose type and text, because their data is dropped. */
const readItems = (file: Buffer, { body, end }: Box, thumbnails: ReadonlySet<number>, changes: Change[]) => {
  const kept = new Set<number>()
  for (const box of demanded(boxesIn(file, body + (file[body] === 0 ? 6 : 8), end))) {
    const version = file[box.body]
    demand(box.type === 'infe' && (version === 2 || version === 3), 'an item of another kind')
    const idBytes = version === 2 ? 2 : 4
    const id = file.readUIntBE(box.body + 4, idBytes)
    const at = box.body + 4 + idBytes + 2
    demand(at + 4 <= box.end, 'cut')
    if (pictures.has(file.toString('latin1', at, at + 4)) && !thumbnails.has(id)) kept.add(id)
    else changes.push({ from: at, to: at + 4, bytes: free })
    changes.push(zeros(at + 4, box.end))
  }
  return kept
}

const readProperties = (file: Buffer, { body, end }: Box, changes: Change[]) => {
  for (const part of demanded(boxesIn(file, body, end))) {
    if (part.type === 'ipma') continue
    demand(part.type === 'ipco', 'an unknown part of the properties')
    for (const box of demanded(boxesIn(file, part.body, part.end))) {
      if (keptProperties.has(box.type)) continue
      demand(wordyProperties.has(box.type), 'an unknown property')
      changes.push(...blanked(box))
    }
  }
}

/** The positions of items in the file. */
const readPlaces = (file: Buffer, { body, end }: Box, idat: Box | undefined) => {
  const version = file[body] as number
  demand(version <= 2, 'places of another kind')
  let at = body + 4
  const next = (bytes: number) => {
    if (bytes === 0) return 0
    demand(at + bytes <= end && (bytes === 8 || bytes <= 4), 'cut')
    const value = bytes === 8 ? Number(file.readBigUInt64BE(at)) : file.readUIntBE(at, bytes)
    at += bytes
    return value
  }
  const sizes = next(2)
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15] as const
  const indexBytes = version === 0 ? 0 : sizes & 15
  const found: (Range & { item: number })[] = []
  for (let n = next(version === 2 ? 4 : 2); n > 0; n -= 1) {
    const item = next(version === 2 ? 4 : 2)
    const method = version === 0 ? 0 : next(2) & 15
    demand(next(2) === 0 && (method === 0 || (method === 1 && idat !== undefined)), 'data of another file')
    const base = next(baseBytes) + (method === 1 ? (idat as Box).body : 0)
    for (let extents = next(2); extents > 0; extents -= 1) {
      next(indexBytes)
      const from = base + next(offsetBytes)
      const to = from + next(lengthBytes)
      demand(Number.isSafeInteger(to) && to > from && to <= file.length, 'data outside of the file')
      found.push({ item, from, to })
    }
  }
  return found
}

const demanded = (boxes: Box[] | null): Box[] => {
  demand(boxes !== null, 'boxes that do not end')
  return boxes
}

const zeros = (from: number, to: number): Change => ({ from, to, bytes: null })

const blanked = ({ at, body, end }: Box): Change[] => [{ from: at + 4, to: at + 8, bytes: free }, zeros(body, end)]

/** The parts of a range that none of these use. */
const unused = ({ from, to }: Range, used: readonly Range[]): Change[] => {
  const gaps: Change[] = []
  let at = from
  for (const range of used.toSorted((a, b) => a.from - b.from)) {
    if (range.to <= at || range.from >= to) continue
    if (range.from > at) gaps.push(zeros(at, range.from))
    at = range.to
  }
  if (at < to) gaps.push(zeros(at, to))
  return gaps
}

const changed = (file: Buffer, end: number, changes: readonly Change[]) => {
  const pieces = gather()
  const needed = changes.filter(({ from, to, bytes }) => bytes || file.subarray(from, to).some(byte => byte !== 0))
  let at = 0
  for (const { from, to, bytes } of needed.toSorted((a, b) => a.from - b.from)) {
    demand(from >= at, 'boxes within each other')
    if (from >= end) break
    pieces.keep(at, from)
    if (bytes) pieces.put(bytes)
    else pieces.zero(Math.min(to, end) - from)
    at = Math.min(to, end)
  }
  pieces.keep(at, end)
  return pieces.all()
}
