import * as contract from '@afterglow/contract/people'
import { presentMinimalUser } from '../accounts/present-person.ts'
import { rangeOf } from '../platform/http/pages.ts'
import type { Serve } from '../platform/http/serve.ts'
import { personFor } from './access.ts'
import * as friends from './friends.ts'
import { presentDetails, presentWithFriend } from './present.ts'
import { searchPeople } from './search-store.ts'
import * as store from './store.ts'

export const peopleRoutes = (serve: Serve) => {
  serve(contract.searchUsers, async ({ db, viewer, input, urls, page }) =>
    page(await searchPeople(db, viewer.id, input.name, rangeOf(input)), person => presentWithFriend(person, urls)),
  )

  serve(contract.readUser, async ({ db, viewer, input, urls }) =>
    presentDetails(await personFor(db, viewer, input.user_id), urls),
  )

  serve(contract.befriend, async ({ db, viewer, input }) => ({
    friend_status: await friends.befriend(db, viewer, input.user_id),
  }))

  serve(contract.unfriend, async ({ db, viewer, input }) => ({
    friend_status: await friends.unfriend(db, viewer, input.user_id),
  }))

  serve(contract.listFriends, async ({ db, viewer, input, urls, page }) =>
    page(await store.listFriends(db, viewer.id, rangeOf(input)), person =>
      presentWithFriend({ ...person, friend: true }, urls),
    ),
  )

  serve(contract.listFriendRequests, async ({ db, viewer, input, urls, page }) =>
    page(await store.listRequests(db, viewer.id, rangeOf(input)), person => presentMinimalUser(person, urls)),
  )

  serve(contract.block, async ({ db, viewer, input }) => {
    await friends.block(db, viewer, input.user_id)
    return { blocked: true }
  })

  serve(contract.unblock, async ({ db, viewer, input }) => {
    await friends.unblock(db, viewer, input.user_id)
    return { blocked: false }
  })

  serve(contract.listBlocked, async ({ db, viewer, input, urls, page }) =>
    page(await store.listBlocked(db, viewer.id, rangeOf(input)), person => presentMinimalUser(person, urls)),
  )
}
