import type { CallOptions } from './operation.ts'

type Listed<Item> = { data: Item[]; next_page_url: string | null }
type List<Input, Item> = (
  input: Input & { page: number; page_length: number },
  options?: CallOptions,
) => Promise<Listed<Item>>

const pageLength = 100

const idOf = (item: unknown): unknown => Object(item).id

/**
 * The items of a list, page after page: `for await (const photo of eachOf(api.gallery.listPhotos, { event_id }))`. What
 * moves to the next page because something new came is not repeated.
 */
export async function* eachOf<Input extends object, Item>(
  list: List<Input, Item>,
  input: Omit<Input, 'page' | 'page_length'> & { page_length?: number },
  options?: CallOptions,
): AsyncGenerator<Item, void, undefined> {
  let before = new Set<unknown>()
  for (let page = 1; ; page++) {
    const { data, next_page_url } = await list({ page_length: pageLength, ...input, page } as never, options)
    for (const item of data) if (idOf(item) === undefined || !before.has(idOf(item))) yield item
    if (next_page_url === null) return
    before = new Set(data.map(idOf))
  }
}
