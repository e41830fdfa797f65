/** An ISO media box: `at` is the position of its size, `body` of its content, `end` the position after it. */
export type Box = { type: string; at: number; body: number; end: number; toTheEnd: boolean }

/** The box that begins here; null if none does that ends before `limit`. */
export const boxAt = (file: Buffer, at: number, limit: number): Box | null => {
  if (at + 8 > limit) return null
  const size = file.readUInt32BE(at)
  const type = file.toString('latin1', at + 4, at + 8)
  if (!/^[\x20-\x7e\xa9]{4}$/.test(type)) return null
  if (size === 0) return { type, at, body: at + 8, end: limit, toTheEnd: true }
  if (size !== 1)
    return size >= 8 && at + size <= limit ? { type, at, body: at + 8, end: at + size, toTheEnd: false } : null
  if (at + 16 > limit) return null
  const large = file.readBigUInt64BE(at + 8)
  if (large < 16n || large > BigInt(limit - at)) return null
  return { type, at, body: at + 16, end: at + Number(large), toTheEnd: false }
}

/** The boxes from here to `limit`; null if they do not end there. */
export const boxesIn = (file: Buffer, from: number, limit: number): Box[] | null => {
  const boxes: Box[] = []
  for (let at = from; at < limit; ) {
    const box = boxAt(file, at, limit)
    if (!box) return null
    boxes.push(box)
    at = box.end
  }
  return boxes
}

/** Whether the file is a video from here to its end. */
export const isFilm = (file: Buffer, from: number): boolean => {
  const boxes = boxesIn(file, from, file.length)
  return boxes?.[0]?.type === 'ftyp' && boxes.some(({ type }) => type === 'moov')
}
