import type { Phones } from './phones.ts'

/** Measures at a sample of guests when a message or a photo's preview arrives. */
export const openArrivals = (phones: Phones) => {
  const begun = new Map<string, number>()
  const stored = new Map<string, number>()
  const shown: { id: string; at: number }[] = []
  const heard = (text: string) => {
    const words = /^42\["message\.created".*?"message_content":"(words \d+)"/.exec(text)?.[1]
    if (words) phones.note('heard', performance.now() - (begun.get(words) ?? Number.NaN))
    const [, id = '', url] =
      /^42\["photo\.created",\{"id":"(\d+)".*?"event_photo_preview_url":"([^"]+)"/.exec(text) ?? []
    if (url)
      void phones.try(async () => {
        await phones.look(url)
        shown.push({ id, at: performance.now() })
      })
  }
  return { begun, stored, shown, heard, sockets: [] as { destroy(): unknown }[] }
}
export type Ears = ReturnType<typeof openArrivals>
