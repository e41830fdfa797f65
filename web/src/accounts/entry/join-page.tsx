import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarDays } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../app/net/client.ts'
import { address } from '../../app/public-path.ts'
import { Link, navigate, useParams } from '../../app/router/router.tsx'
import { begin, beginAdding, noLongerOnlyAdds, session, thisDevice } from '../../app/session.ts'
import { askedReturn } from '../../app/storage/asked-returns.ts'
import { enteredBy, keepCode } from '../../app/storage/join-code.ts'
import { useStore } from '../../app/store.ts'
import { wentOff } from '../../app/viewing.ts'
import { useWords } from '../../app/words.ts'
import { EventPicture } from '../../events/event-picture.tsx'
import { isAhead, isIn, whenOf } from '../../events/event-words.ts'
import { eventKey, eventsKey } from '../../events/keys.ts'
import { eventQuery } from '../../events/queries.ts'
import { ownPhotos } from '../../gallery/own-photos.ts'
import { nameOf } from '../../people/names.ts'
import { AddToCalendar } from '../../plans/add-to-calendar.tsx'
import { type Answer, AnswerChoice, AnswerDetails, answerFieldNames, answerIn } from '../../plans/answer-fields.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { fieldError, formError } from '../../ui/failure.ts'
import { Field } from '../../ui/field.tsx'
import { formMaybe, formText, useForm } from '../../ui/form.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { LanguageChoice } from '../language-choice.tsx'
import { accountQuery } from '../queries.ts'
import { GoOn } from './go-on.tsx'
import { LookIn } from './look-in.tsx'
import { NamesakeDialog } from './namesake-dialog.tsx'
import { PinField } from './pin-field.tsx'
import { ScreenOff } from './screen-off.tsx'
import { WaitingToReturn } from './waiting-to-return.tsx'

const fields = ['user_first_name', 'user_last_name', 'pin', ...answerFieldNames]

/** The page behind a scanned code: the event, one's name, join. Someone already in the event is taken to it. */
export const JoinPage = () => {
  const { t } = useWords()
  const { code } = useParams('/j/:code')
  const signedIn = useStore(session) !== undefined
  // Whatever became of the link meanwhile, and without asking.
  const [entered] = useState(() => enteredBy(code))
  const {
    data: opened,
    error,
    refetch,
  } = useQuery({
    queryKey: ['link', code],
    queryFn: () => api.links.openLink({ code }),
    enabled: entered === undefined,
    staleTime: 0,
    gcTime: 0,
  })
  const joins = opened?.link_kind === 'guest' || opened?.link_kind === 'drop'
  const [asked, setAsked] = useState(() => askedReturn(code))
  const [arrivedIn, setArrivedIn] = useState(signedIn)
  // What is on the venue's screen is nobody's, whoever put it there.
  const asSomebody = arrivedIn && opened !== undefined && opened.link_kind !== 'screen'
  const event = useQuery({ ...eventQuery(opened?.event_id ?? 0), enabled: asSomebody })
  const eventId = entered ?? (asSomebody && event.data && isIn(event.data) ? event.data.id : undefined)
  // Who typed a short code goes on with the link's own, which this device keeps.
  const typed = opened && opened.link_code !== code
  useEffect(() => {
    if (typed) void navigate({ to: '/j/:code', params: { code: opened.link_code }, replace: true })
  }, [typed, opened])
  useEffect(() => {
    if (eventId !== undefined) void navigate({ to: '/events/:eventId', params: { eventId }, replace: true })
  }, [eventId])
  if (!opened && wentOff(code)) return <ScreenOff />
  const looking = eventId !== undefined || typed || (asSomebody && event.isPending)
  return (
    <main className="mx-auto grid grid-cols-1 min-h-dvh max-w-md content-start gap-5 px-4 py-5 sm:content-center">
      <title>{`${opened?.event_name ?? t('event.title')} · Afterglow`}</title>
      {opened && !looking ? (
        <>
          <div className="relative aspect-[16/10] overflow-hidden rounded-3xl bg-sunken shadow-card">
            <EventPicture event={{ id: opened.event_id, event_avatar_url: opened.event_avatar_url }} first />
          </div>
          <div className="grid grid-cols-1 gap-1.5 text-center">
            <p className="text-soft" dir="auto">
              {t('invitations.by', { name: nameOf(opened.host) })}
            </p>
            <h1 className="font-display text-2xl font-semibold text-balance wrap-anywhere" dir="auto">
              {opened.event_name}
            </h1>
            <p className="text-balance text-soft">
              <CalendarDays className="me-1.5 mb-1 inline size-4.5" aria-hidden="true" />
              {whenOf(opened)}
            </p>
          </div>
          {joins && (opened.link_kind === 'drop' || !signedIn) && (
            <p className="text-center text-pretty">
              {opened.link_kind === 'drop' ? t('links.whatDrop') : t('links.what')}
            </p>
          )}
          {!signedIn && opened.link_kind === 'guest' && <GoOn onReturned={() => setArrivedIn(true)} />}
          {!joins ? (
            <LookIn code={code} opened={opened} />
          ) : asked && !signedIn ? (
            <WaitingToReturn
              code={code}
              eventName={opened.event_name}
              asked={asked}
              onNew={() => setAsked(undefined)}
            />
          ) : (
            <JoinForm code={code} opened={opened} onAsked={setAsked} />
          )}
          {signedIn || opened.link_kind !== 'guest' || (
            <div className="grid justify-items-center">
              <AddToCalendar
                event={{ ...opened, url: `${address}/j/${code}` }}
                file={() => `${address}/j/${code}/event.ics`}
              />
            </div>
          )}
          <LanguageChoice />
        </>
      ) : error ? (
        <Failed
          heading="h1"
          error={error}
          retry={() => void refetch()}
          gone={t('links.dead')}
          goneMore={t('links.deadMore')}
          goneAction={
            <Link to="/" className={buttonClass('soft')}>
              {t('links.home')}
            </Link>
          }
        />
      ) : (
        <>
          <Skeleton className="aspect-[16/10] rounded-3xl" />
          <Skeleton className="mx-auto h-8 w-3/5" />
          <Skeleton className="mx-auto h-5 w-4/5" />
          <Skeleton className="h-72 rounded-3xl" />
        </>
      )}
    </main>
  )
}

type Opened = Awaited<ReturnType<typeof api.links.openLink>>

type Joining = { code: string; opened: Opened; onAsked(asked: ReturnType<typeof askedReturn>): void }

const JoinForm = ({ code, opened, onAsked }: Joining) => {
  const { t } = useWords()
  const eventId = opened.event_id
  const pin = opened.link_pin_required
  const drop = opened.link_kind === 'drop'
  const ahead = !drop && isAhead(opened)
  const client = useQueryClient()
  const signedIn = useStore(session) !== undefined
  const { data: account } = useQuery({ ...accountQuery, enabled: signedIn })
  // However often it is sent, only one guest joins; nobody could guess it.
  const key = useRef(Array.from(crypto.getRandomValues(new Uint32Array(8)), part => part.toString(36)).join(''))
  const join = useMutation({
    mutationFn: (form: FormData) =>
      api.links.joinByLink(
        {
          code,
          pin: formMaybe(form, 'pin'),
          ...(ahead && { event_answer: formText(form, 'event_answer') as Answer, ...answerIn(form) }),
          ...(!signedIn && {
            user_first_name: formMaybe(form, 'user_first_name'),
            user_last_name: formMaybe(form, 'user_last_name'),
            ...thisDevice(),
          }),
        },
        { idempotencyKey: key.current },
      ),
    onSuccess: async (reply, form) => {
      const welcome = formText(form, 'user_first_name') || reply.user.user_first_name
      if (!signedIn && drop) beginAdding(reply, eventId)
      else if (!signedIn) begin(reply)
      else if (!drop) noLongerOnlyAdds()
      keepCode(eventId, { code, name: opened.event_name, adds: drop })
      void client.invalidateQueries({ queryKey: eventsKey() })
      // What it was to them before is another page.
      if (signedIn) await client.invalidateQueries({ queryKey: eventKey(eventId) })
      // Going back must not lead to the join page again.
      if (drop) return navigate({ href: ownPhotos(eventId, reply.user.id), replace: true })
      await navigate({ to: '/events/:eventId', params: { eventId }, replace: true, told: { welcome } })
    },
  })
  // Whoever may have joined already would find themselves.
  const [isNew, setNew] = useState(false)
  const come = useMutation({
    mutationFn: async (form: FormData) => {
      if (signedIn || drop || isNew || !join.isIdle) return form
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
  const twin = come.isSuccess && come.data === undefined && !isNew ? come.variables : undefined
  const error = join.error ?? come.error
  return (
    <form
      onSubmit={useForm(come.mutate)}
      className="grid grid-cols-1 gap-4 rounded-3xl border border-line bg-card p-5 shadow-card"
    >
      <FormProblem text={formError(error, fields)} />
      {!signedIn && (
        <>
          <Field
            name="user_first_name"
            label={t('links.yourName')}
            autoComplete="given-name"
            required
            maxLength={100}
            dir="auto"
            error={fieldError(error, 'user_first_name')}
          />
          <Field
            name="user_last_name"
            label={t('links.lastName')}
            autoComplete="family-name"
            maxLength={100}
            dir="auto"
            error={fieldError(error, 'user_last_name')}
          />
        </>
      )}
      {pin && <PinField error={error} />}
      {ahead && (
        <>
          <AnswerChoice />
          <details>
            <summary className="inline-flex min-h-11 items-center text-sm font-semibold text-ember">
              {t('answer.plusOnes')} · {t('answer.note')}
            </summary>
            <div className="grid grid-cols-1 gap-4">
              <AnswerDetails error={error} />
            </div>
          </details>
        </>
      )}
      <Button type="submit" size="large" busy={come.isPending || join.isPending}>
        <span className="min-w-0 wrap-anywhere">
          {account ? t('links.joinAs', { name: account.user_first_name }) : t('join.join')}
        </span>
      </Button>
      {!signedIn && !drop && <AlreadyIn code={code} />}
      {twin && (
        <NamesakeDialog
          code={code}
          eventId={eventId}
          form={twin}
          onAsked={onAsked}
          onNew={() => {
            setNew(true)
            join.mutate(twin)
          }}
          onClose={come.reset}
        />
      )}
    </form>
  )
}

/** People without a password are not asked for one: this is how someone signed in on another device continues here. */
const AlreadyIn = ({ code }: { code: string }) => {
  const { t } = useWords()
  return (
    <details className="group text-center text-sm">
      <summary className="inline-flex min-h-11 items-center rounded-full px-3 font-semibold text-ember">
        {t('links.already')}
      </summary>
      <div className="grid gap-3 pb-1 text-start">
        <p className="text-pretty text-soft">{t('links.alreadyMore')}</p>
        <Link to="/sign-in" search={{ next: `/j/${code}` }} className={buttonClass('quiet', 'normal')}>
          {t('signIn.act')}
        </Link>
        <Link to="/transfer" className={buttonClass('quiet', 'normal')}>
          {t('ownCode.have')}
        </Link>
      </div>
    </details>
  )
}
