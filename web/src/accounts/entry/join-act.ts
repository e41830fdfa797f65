import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/net/client.ts'
import { currentVisit } from '../../app/router/history.ts'
import { navigate } from '../../app/router/router.tsx'
import { newSecret } from '../../app/secret.ts'
import { begin, beginAdding, noLongerOnlyAdds, session, thisDevice } from '../../app/session.ts'
import { keepDraft } from '../../app/storage/drafts.ts'
import { keepCode } from '../../app/storage/join-code.ts'
import { useStore } from '../../app/store.ts'
import { t } from '../../app/words.ts'
import { eventKey, eventsKey } from '../../events/keys.ts'
import { ownPhotos } from '../../gallery/own-photos.ts'
import { type Answer, answerIn } from '../../plans/answer-fields.tsx'
import { formMaybe, formText } from '../../ui/form.ts'
import { say } from '../../ui/layers/toasts.ts'
import type { OpenedLink } from './opened-link.ts'
import { pageBehind } from './page-behind.ts'

/** Joins with a form's fields, after a question where the name is there already (`namesake`). */
export const useJoining = (code: string, opened: OpenedLink, isInside: boolean, onJoined: () => Promise<void>) => {
  const signedIn = useStore(session) !== undefined
  const join = useJoin(code, opened, isInside, onJoined)
  const [isNew, setNew] = useState(false)
  const come = useMutation({
    mutationFn: async (form: FormData) => {
      if (signedIn || opened.link_kind === 'drop' || isNew || !join.isIdle) return form
      const { namesake } = await api.returns.findNamesake({
        code,
        pin: formMaybe(form, 'pin'),
        user_first_name: formText(form, 'user_first_name'),
        user_last_name: formMaybe(form, 'user_last_name'),
        device_id: thisDevice().device_id,
      })
      return namesake ? undefined : form
    },
    onSuccess: form => form && join.mutate(form),
  })
  const asked = come.isSuccess && come.data === undefined && !isNew ? come.variables : undefined
  const onNew = () => {
    setNew(true)
    if (asked) join.mutate(asked)
  }
  return {
    come: come.mutate,
    namesake: asked && { form: asked, onNew, onClose: come.reset },
    busy: come.isPending || join.isPending,
    error: join.error ?? come.error,
  }
}

const useJoin = (code: string, opened: OpenedLink, isInside: boolean, onJoined: () => Promise<void>) => {
  const eventId = opened.event_id
  const drop = opened.link_kind === 'drop'
  const client = useQueryClient()
  const signedIn = useStore(session) !== undefined
  // However often it is sent, only one guest joins; nobody could guess it.
  const [idempotencyKey] = useState(newSecret)
  return useMutation({
    mutationFn: (form: FormData) =>
      api.links.joinByLink(
        {
          code,
          pin: formMaybe(form, 'pin'),
          ...(form.has('event_answer') && {
            event_answer: formText(form, 'event_answer') as Answer,
            ...answerIn(form),
          }),
          ...(!signedIn && {
            user_first_name: formMaybe(form, 'user_first_name'),
            user_last_name: formMaybe(form, 'user_last_name'),
            ...thisDevice(),
          }),
        },
        { idempotencyKey },
      ),
    onSuccess: async (reply, form) => {
      keepDraft(`join.${code}`, '')
      await onJoined()
      const welcome = formText(form, 'user_first_name') || reply.user.user_first_name
      if (!signedIn && drop) beginAdding(reply, eventId)
      else if (!signedIn) begin(reply)
      else if (!drop) noLongerOnlyAdds()
      if (!isInside) keepCode(eventId, { code, name: opened.event_name, adds: drop })
      void client.invalidateQueries({ queryKey: eventsKey() })
      // What it was to them before is another page.
      if (signedIn) await client.invalidateQueries({ queryKey: eventKey(eventId) })
      // Going back must not lead to the join page again.
      if (isInside) return navigate({ to: '/events/:eventId/photos', params: { eventId }, replace: true })
      if (drop) return navigate({ href: ownPhotos(eventId, reply.user.id), replace: true })
      const declines = formText(form, 'event_answer') === 'no'
      if (declines) say(t('invitation.thanks', { name: welcome }))
      await navigate({
        href: pageBehind(currentVisit(), eventId),
        replace: true,
        ...(!declines && { told: { welcome } }),
      })
    },
  })
}
