import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { bringIn, evening } from '../../../test/party.ts'
import { jpeg, type PictureOptions, png, webp } from '../../../test/pictures.ts'

const app = await openTestApp()
const paged = { page: 1, page_length: 10 }
const size = { width: 64, height: 48 }

test.each([
  ['a JPEG', 'jpg', 'image/jpeg', jpeg, {}],
  ['an opaque PNG', 'jpg', 'image/jpeg', png, {}],
  ['a see-through PNG', 'webp', 'image/webp', png, { transparent: true }],
  ['a see-through WebP', 'webp', 'image/webp', webp, { transparent: true }],
] as const)(
  'the addresses of %s of a person and of an event end in what they are',
  async (_, ending, type, make, wish: PictureOptions) => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const picture = new Blob([new Uint8Array(await make({ ...size, ...wish }))])
    const event = await olivia.api.events.saveEvent({ ...evening(), event_avatar: picture })
    await bringIn(olivia, event.id, gus)
    const staged = await gus.api.accounts.stageAvatar({ profile_picture: picture })
    const names = {
      user_first_name: 'Gus',
      user_last_name: 'Grant',
      user_username: gus.username,
      user_email: gus.email,
    }
    const account = await gus.api.accounts.updateAccount({ ...names, profile_picture_updated: true })
    const { link_code } = await olivia.api.links.makeLink({ event_id: event.id })

    const guests = await olivia.api.events.listGuests({ event_id: event.id, ...paged })
    const found = await olivia.api.people.searchUsers({ name: gus.username, ...paged })
    const details = await olivia.api.people.readUser({ user_id: gus.id })
    const chats = await olivia.api.chats.listChats(paged)
    const opened = await app.as().links.openLink({ code: link_code })
    const addresses = [
      staged.user_avatar_url,
      account.user_avatar_url,
      guests.data.find(({ user }) => user.id === gus.id)?.user.user_avatar_url,
      found.data[0]?.user_avatar_url,
      details.user_avatar_url,
      event.event_avatar_url,
      opened.event_avatar_url,
      chats.data[0]?.group_chat_avatar,
    ]
    for (const address of addresses) {
      expect(new URL(address ?? '').pathname).toMatch(new RegExp(`\\.${ending}$`))
      expect((await fetch(address ?? '')).headers.get('content-type')).toBe(type)
    }
  },
)
