import { AfterglowError } from '@afterglow/sdk/methods'
import { useState } from 'react'
import { statusOf } from '../../app/net/client.ts'
import { online } from '../../app/net/network.ts'
import { address } from '../../app/public-path.ts'
import { Link, useParams } from '../../app/router/router.tsx'
import { session } from '../../app/session.ts'
import { askedReturn } from '../../app/storage/return-requests.ts'
import { useStore } from '../../app/store.ts'
import { wentOff } from '../../app/viewing.ts'
import { useWords } from '../../app/words.ts'
import { EventPicture } from '../../events/event-picture.tsx'
import { EventWhen } from '../../events/event-when.tsx'
import { isAhead } from '../../events/event-words.ts'
import { Command, commandFor } from '../../events/links/photographer-command.tsx'
import { nameOf } from '../../people/names.ts'
import { AddToCalendar } from '../../plans/add-to-calendar.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { reasonOf } from '../../ui/failure.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { LanguageChoice } from '../language-choice.tsx'
import { GoOn } from './go-on.tsx'
import { JoinForm } from './join-form.tsx'
import { LookIn } from './look-in.tsx'
import { type OpenedLink, useOpenedLink } from './opened-link.ts'
import { ScreenOff } from './screen-off.tsx'
import { WaitingToReturn } from './waiting-to-return.tsx'

/**
 * The page behind a scanned code: the event, one's name, join. Someone already in the event is taken to it, or asked
 * whether they are its photographer.
 */
export const JoinPage = () => {
  const { t } = useWords()
  const { code } = useParams('/j/:code')
  const { opened, shown, isInside, error, retry, onReturned } = useOpenedLink(code)
  const reachable = useStore(online)
  if (!opened && wentOff(code)) return <ScreenOff />
  return (
    <main className="mx-auto grid grid-cols-1 min-h-dvh max-w-md content-start gap-5 px-4 py-5 sm:content-center">
      <title>{`${opened?.event_name ?? t('event.title')} · Afterglow`}</title>
      {shown ? (
        <Entrance {...{ code, isInside, onReturned }} opened={shown} />
      ) : error || !reachable ? (
        <Failed
          heading="h1"
          error={error}
          retry={retry}
          gone={statusOf(error) === 400 ? reasonOf(error) : t('links.dead')}
          goneMore={error instanceof AfterglowError && error.code === 'cancelled' ? undefined : t('links.deadMore')}
          goneAction={
            <Link to="/" className={buttonClass('soft')}>
              {t('links.home')}
            </Link>
          }
        />
      ) : (
        <Placeholder />
      )}
    </main>
  )
}

type Opened = { code: string; opened: OpenedLink; isInside: boolean }

/** The event, and how whoever is here comes in. */
const Entrance = ({ code, opened, isInside, onReturned }: Opened & { onReturned(): void }) => {
  const { t } = useWords()
  const signedIn = useStore(session) !== undefined
  const newGuest = opened.link_kind === 'guest' && !signedIn
  const drop = opened.link_kind === 'drop'
  return (
    <>
      <OpenedEvent opened={opened} />
      {opened.link_photographer && <p className="text-center text-pretty">{t('links.whatPhotographer')}</p>}
      {(newGuest || drop) && (
        <p className="text-center text-pretty">
          {isInside ? t('links.stayAsYouAre') : drop ? t('links.whatDrop') : t('links.what')}
        </p>
      )}
      {newGuest && <GoOn onReturned={onReturned} />}
      <WayIn {...{ code, opened, isInside }} />
      {newGuest && isAhead(opened) && (
        <div className="grid justify-items-center">
          <AddToCalendar
            event={{ ...opened, url: `${address}/j/${code}` }}
            file={() => `${address}/j/${code}/event.ics`}
          />
        </div>
      )}
      <LanguageChoice />
    </>
  )
}

/** Which event it is, by whom and when. */
const OpenedEvent = ({ opened }: { opened: OpenedLink }) => {
  const { t } = useWords()
  return (
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
        <EventWhen event={opened} />
      </div>
    </>
  )
}

const WayIn = ({ code, opened, isInside }: Opened) => {
  const { t } = useWords()
  const signedIn = useStore(session) !== undefined
  const [asked, setAsked] = useState(() => askedReturn(code))
  if (opened.link_kind !== 'guest' && opened.link_kind !== 'drop') return <LookIn code={code} opened={opened} />
  if (asked && !signedIn)
    return <WaitingToReturn {...{ code, asked }} eventName={opened.event_name} onNew={() => setAsked(undefined)} />
  const link = { link_url: `${address}/j/${code}`, link_pin: opened.link_pin_required ? 'PIN' : null }
  return (
    <>
      <JoinForm {...{ code, opened, isInside }} onAsked={setAsked} />
      {opened.link_photographer && <Command command={commandFor(link, t('photo.photographer'))} />}
    </>
  )
}

const Placeholder = () => (
  <>
    <Skeleton className="aspect-[16/10] rounded-3xl" />
    <Skeleton className="mx-auto h-8 w-3/5" />
    <Skeleton className="mx-auto h-5 w-4/5" />
    <Skeleton className="h-72 rounded-3xl" />
  </>
)
