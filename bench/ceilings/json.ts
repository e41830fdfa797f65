/*
 * The interface's shapes as SQL, for servers that let the database build the whole reply. Signatures of media URLs are
 * a constant of the right length: cheaper than ours, so the ceiling is higher than a real one could be.
 */

const signed = '?e=1763640000&k=0a1b2c3d&s=0123456789012345678901234567890123456789012'

export const media = (id: string, variant: string) => `'http://bench/media/' || ${id} || '/${variant}${signed}'`

const avatar = (u: string) =>
  `case when ${u}.avatar_media_id is null then 'http://bench/media/initials/A%20B/' || ${u}.id % 24
    else ${media(`${u}.avatar_media_id`, 'preview')} end`

const seenUserFields = (u: string) => `
  'id', ${u}.id, 'user_first_name', ${u}.first_name, 'user_middle_name', ${u}.middle_name,
  'user_last_name', ${u}.last_name, 'user_avatar_url', ${avatar(u)}`

export const seenUser = (u: string) => `json_build_object(${seenUserFields(u)})`

export const minimalUser = (u: string) =>
  `json_build_object(${seenUserFields(u)}, 'user_username', ${u}.username,
    'user_visible', case when ${u}.visible then '1' else '0' end)`

export const time = (at: string) => `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

export const times = (row: string) =>
  `'created_at', ${time(`${row}.created_at`)}, 'updated_at', ${time(`${row}.updated_at`)}`

/** The `extra` of a picture `x` whose full size has not been made, as in the filled data. */
export const pictureExtra = (x: string) => `'width', ${x}.width, 'height', ${x}.height, 'thumbhash', ${x}.thumbhash,
  'screen_url', ${media(`${x}.id`, 'display')}, 'original', null, 'incomplete', false`

/** The `extra` of a picture's video `v`. */
export const videoExtra = (v: string) => `'video', ${v}.state is not null,
  'video_state', case when ${v}.state is not null then json_build_object('state', ${v}.state) end`

/** Builds the list envelope around items that the database built; `items` is a JSON array of up to length + 1. */
export const envelope = (url: string, page: number, length: number, items: string, count: number): string => {
  const path = url.split('?')[0]
  const link = (to: number) => `"http://bench${path}?page_length=${length}&page=${to}"`
  const shown = Math.min(count, length)
  const from = (page - 1) * length
  return `{"current_page":${page},"data":${items},"first_page_url":${link(1)},"from":${shown ? from + 1 : null},"next_page_url":${
    count > length ? link(page + 1) : null
  },"path":"http://bench${path}","per_page":"${length}","prev_page_url":${page > 1 ? link(page - 1) : null},"to":${shown ? from + shown : null}}`
}
