import { enterPeople, password } from '../../demo/src/people.ts'
import { tell } from '../../demo/src/story.ts'
import type { Story } from './tour.ts'

/** The demo's evening, with a report, and Olivia in a browser. */
export const tourEvening = async (baseUrl: string) => {
  const people = await enterPeople(baseUrl)
  const { eventId, starts, joinLink, lookLink } = await tell(people)
  const { gus, rita, olivia } = people
  const { data } = await gus.api.gallery.listPhotos({ event_id: eventId, page: 1, page_length: 50 })
  const photos = await Promise.all(
    data.map(async ({ id }) => ({
      id,
      likes: (await gus.api.gallery.readPhoto({ event_photo_id: id })).event_photo_likes_count,
    })),
  )
  const [favourite] = photos.sort((one, other) => Number(other.likes) - Number(one.likes))
  const report_reason = 'My eyes are closed.'
  await rita.api.people.report({ report_type: 'photo', report_id: Number(photos.at(-1)?.id), report_reason })
  const entered = await olivia.api.accounts.authenticate({
    user_login_option_type: 1,
    user_login_id: 'olivia',
    user_password: password,
    device_id: 'browser',
    user_timezone: 'Europe/Madrid',
    user_device_platform: 'web',
  })
  const codeOf = (link: string) => link.split('/').at(-1) ?? ''
  const [code, look] = [codeOf(joinLink), codeOf(lookLink)]
  const story: Story = { eventId, code, look, userId: gus.id, photoId: favourite?.id ?? '' }
  return { story, starts, olivia: { token: entered.token, id: entered.user.id } }
}
