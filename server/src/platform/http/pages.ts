import { bytesOf, type JsonBytes } from './json-bytes.ts'

/** The rows of a list that a request asks for: `limit` is one more than the page, to tell whether another follows. */
export const rangeOf = ({ page, page_length }: { page: number; page_length: number }) => ({
  offset: Math.min((page - 1) * page_length, Number.MAX_SAFE_INTEGER),
  limit: page_length + 1,
})

export type Envelope<Item> = {
  current_page: number
  data: Item[]
  first_page_url: string
  from: number | null
  next_page_url: string | null
  path: string
  per_page: string
  prev_page_url: string | null
  to: number | null
}

/** Writes the items of a list as JSON, each preceded by a comma. */
export type WriteItems = (out: JsonBytes) => void

/** An envelope as JSON around its items. Everything before `data` is numeric. */
export const pageAround = (envelope: Envelope<never>, writeItems: WriteItems): Buffer => {
  const json = JSON.stringify(envelope)
  const inside = json.indexOf('"data":[]') + '"data":['.length
  return bytesOf(out => {
    out.text(json.slice(0, inside - 1))
    const opening = out.length
    writeItems(out)
    if (out.length === opening) out.text('[')
    else out.overwrite(opening, '[')
    out.text(json.slice(inside))
  })
}

/**
 * The list envelope. `found` counts up to `page_length + 1` rows; the extra one only indicates that there is a next
 * page. `url` is the absolute URL of the request: links keep its parameters, with `page` last.
 */
export const envelope = <Item>(
  url: string,
  { page, page_length }: { page: number; page_length: number },
  found: number,
  data: Item[],
): Envelope<Item> => {
  const [path = '', query] = url.split('?', 2)
  const others = new URLSearchParams(query)
  others.delete('page')
  const kept = others.size ? `${others}&` : ''
  const link = (page: number) => `${path}?${kept}page=${page}`
  const before = (page - 1) * page_length
  return {
    current_page: page,
    data,
    first_page_url: link(1),
    from: found ? before + 1 : null,
    next_page_url: found > page_length ? link(page + 1) : null,
    path,
    per_page: String(page_length),
    prev_page_url: page > 1 ? link(page - 1) : null,
    to: found ? before + Math.min(found, page_length) : null,
  }
}
