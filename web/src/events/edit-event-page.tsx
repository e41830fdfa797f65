import { AfterglowError } from '@afterglow/sdk/methods'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '../app/net/client.ts'
import { navigate, useLocation, useParams } from '../app/router/router.tsx'
import { draftOf, keepDraft } from '../app/storage/drafts.ts'
import { useWords } from '../app/words.ts'
import { say } from '../ui/layers/toasts.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { EventFailed } from './event-failed.tsx'
import { EventForm, eventDraft } from './form/event-form.tsx'
import { conflictOf, type EventFields, type EventValues } from './form/event-values.ts'
import { eventKey, eventsKey } from './keys.ts'
import { type Event, eventQuery } from './queries.ts'

export const EditEventPage = () => {
  const { t } = useWords()
  const { eventId } = useParams('/events/:eventId/edit')
  const { data: event, error } = useQuery(eventQuery(eventId))
  return (
    <>
      <title>{`${t('event.edit')} · Afterglow`}</title>
      {event ? (
        <EditForm event={event} />
      ) : (
        <>
          <PageHeader title={t('event.edit')} back={{ to: '/events/:eventId', params: { eventId } }} />
          {error ? <EventFailed error={error} /> : <Skeleton className="m-4 h-96" />}
        </>
      )}
    </>
  )
}

const EditForm = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const { hash } = useLocation()
  const { read, drawn, theirs, send, touch } = useSending(event)
  const save = useMutation({
    mutationFn: send,
    onSuccess: async saved => {
      keepDraft(eventDraft(saved), '')
      client.setQueryData(eventKey(saved.id), saved)
      void client.invalidateQueries({ queryKey: eventsKey() })
      const isRevealed = read.extra.event_photos_shown !== 'at_once' && saved.extra.event_photos_shown === 'at_once'
      say(isRevealed ? t('reveal.done') : t('common.saved'))
      await navigate({ to: '/events/:eventId', params: { eventId: saved.id } })
    },
  })
  return (
    <div onInputCapture={touch}>
      <EventForm
        key={drawn}
        event={read}
        title={t('event.edit')}
        back={{ to: '/events/:eventId', params: { eventId: event.id } }}
        settingsFirst={hash === '#settings'}
        act={t('common.save')}
        busy={save.isPending}
        error={save.error}
        theirs={theirs}
        onSave={save.mutate}
      />
    </div>
  )
}

/** The event as it was when a kept draft was begun: what was saved since is not undone by it. */
const begunFrom = (event: Event): Event => {
  const place = eventDraft(event)
  const begun = draftOf(place) && draftOf(`${place}.begun`)
  if (begun) return JSON.parse(begun)
  keepDraft(`${place}.begun`, JSON.stringify(event))
  return event
}

/**
 * Saves over what the form was filled with. What others have changed meanwhile stays, and is shown first if it is the same
 * that is to be saved.
 */
const useSending = (event: Event) => {
  const [read, setRead] = useState(() => begunFrom(event))
  const [theirs, setTheirs] = useState<Partial<EventValues>>()
  const [drawn, setDrawn] = useState(read.updated_at)
  const isTouched = useRef(false)
  const touch = () => {
    isTouched.current = true
  }
  // An untouched form, drawn from cached data, is redrawn once the service has answered.
  useEffect(() => {
    if (event.updated_at <= read.updated_at || isTouched.current || draftOf(eventDraft(event))) return
    setRead(begunFrom(event))
    setDrawn(event.updated_at)
  }, [event, read])
  const send = async (fields: EventFields, seen = read): Promise<Event> => {
    try {
      return await api.events.saveEvent({ ...fields, event_id: event.id, event_updated_at: seen.updated_at })
    } catch (refused) {
      if (!(refused instanceof AfterglowError && refused.code === 'eventChanged')) throw refused
      const now = await api.events.readEvent({ event_id: event.id })
      const conflict = conflictOf(read, now, fields)
      if (!conflict) return send(fields, now)
      setRead(now)
      setTheirs(conflict)
      throw refused
    }
  }
  return { read, drawn, theirs, touch, send: (fields: EventFields) => send(fields) }
}
