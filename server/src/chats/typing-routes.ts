import * as contract from '@afterglow/contract/chats'
import type { Person } from '../accounts/persons.ts'
import { personsById } from '../accounts/persons-sql.ts'
import { presentSeenUser } from '../accounts/present-person.ts'
import type { Membership } from '../channel/payloads.ts'
import type { Whisper } from '../channel/realtime.ts'
import type { Serve } from '../platform/http/serve.ts'
import { chatToSendTo } from './access.ts'

export const typingRoutes = (serve: Serve, membership: Pick<Membership, 'membersOf'>, whisper: Whisper) => {
  serve(contract.sayTyping, async ({ db, viewer, input }) => {
    const { id, event_id: eventId } = await chatToSendTo(db, viewer, input.group_chat_id)
    const members = (await membership.membersOf(db, [eventId])).get(eventId)
    const person = (await personsById(db, [viewer.id])).get(viewer.id) as Person
    const others = (members?.ids ?? []).filter(member => member !== viewer.id)
    whisper('typing', urls => ({ group_chat_id: id, user: presentSeenUser(person, urls) }), others)
    return { done: true } as const
  })
}
