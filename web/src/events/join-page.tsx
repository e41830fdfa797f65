import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { CalendarDays } from 'lucide-react'
import { useRef } from 'react'
import { accountQuery } from '../accounts/queries.ts'
import { api } from '../app/client.ts'
import { begin, session, thisDevice } from '../app/session.ts'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import { nameOf } from '../people/names.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { fieldError, formError } from '../ui/failing.ts'
import { Field } from '../ui/field.tsx'
import { formMaybe, useForm } from '../ui/form.ts'
import { FormProblem } from '../ui/form-problem.tsx'
import { Failed } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { keepCode } from './came-by.ts'
import { EventPicture } from './event-picture.tsx'
import { whenOf } from './event-words.ts'
import { eventsKey } from './keys.ts'

const route = getRouteApi('/j/$code')
const fields = ['user_first_name', 'user_last_name', 'pin']

/** Where a scanned code leads: the event, one's name, in. */
export const JoinPage = () => {
  const { t } = useWords()
  const { code } = route.useParams()
  const {
    data: opened,
    error,
    refetch,
  } = useQuery({
    queryKey: ['link', code],
    queryFn: () => api.links.openLink({ code }),
    staleTime: 0,
    gcTime: 0,
  })
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-start gap-5 px-4 py-5 sm:content-center">
      <title>{`${opened?.event_name ?? t('event.title')} · Afterglow`}</title>
      {opened ? (
        <>
          <div className="relative aspect-[16/10] overflow-hidden rounded-3xl bg-sunken shadow-card">
            <EventPicture event={{ id: opened.event_id, event_avatar_url: opened.event_avatar_url }} />
          </div>
          <div className="grid gap-1.5 text-center">
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
          <JoinForm code={code} eventId={opened.event_id} pin={opened.link_pin_required} />
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

const JoinForm = ({ code, eventId, pin }: { code: string; eventId: number; pin: boolean }) => {
  const { t } = useWords()
  const navigate = useNavigate()
  const client = useQueryClient()
  const signedIn = useStore(session) !== undefined
  const { data: account } = useQuery({ ...accountQuery, enabled: signedIn })
  // However often it is sent, one guest comes in; nobody could guess it.
  const key = useRef(Array.from(crypto.getRandomValues(new Uint32Array(8)), part => part.toString(36)).join(''))
  const join = useMutation({
    mutationFn: (form: FormData) =>
      api.links.joinByLink(
        {
          code,
          pin: formMaybe(form, 'pin'),
          ...(!signedIn && {
            user_first_name: formMaybe(form, 'user_first_name'),
            user_last_name: formMaybe(form, 'user_last_name'),
            ...thisDevice(),
          }),
        },
        { idempotencyKey: key.current },
      ),
    onSuccess: async reply => {
      if (!signedIn) begin(reply)
      keepCode(eventId, code)
      void client.invalidateQueries({ queryKey: eventsKey() })
      await navigate({ to: '/events/$eventId', params: { eventId }, replace: true })
    },
  })
  return (
    <form onSubmit={useForm(join.mutate)} className="grid gap-4 rounded-3xl border border-line bg-card p-5 shadow-card">
      <FormProblem text={formError(join.error, fields)} />
      {!signedIn && (
        <>
          <Field
            name="user_first_name"
            label={t('links.yourName')}
            autoComplete="given-name"
            required
            maxLength={100}
            dir="auto"
            error={fieldError(join.error, 'user_first_name')}
          />
          <Field
            name="user_last_name"
            label={t('links.lastName')}
            autoComplete="family-name"
            maxLength={100}
            dir="auto"
            error={fieldError(join.error, 'user_last_name')}
          />
        </>
      )}
      {pin && (
        <Field
          name="pin"
          label={t('links.enterPin')}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          error={fieldError(join.error, 'pin')}
        />
      )}
      <Button type="submit" size="large" busy={join.isPending}>
        {account ? t('links.joinAs', { name: account.user_first_name }) : t('join.join')}
      </Button>
      {!signedIn && (
        <p className="text-center text-sm text-soft">
          {t('register.known')}{' '}
          <Link to="/sign-in" search={{ next: `/j/${code}` }} className="font-semibold text-ember">
            {t('signIn.act')}
          </Link>
        </p>
      )}
    </form>
  )
}
