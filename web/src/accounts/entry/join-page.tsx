import { AfterglowError } from '@afterglow/sdk/methods'
import { useState } from 'react'
import { statusOf } from '../../app/net/client.ts'
import { online } from '../../app/net/network.ts'
import { address } from '../../app/public-path.ts'
import { currentVisit } from '../../app/router/history.ts'
import { Link, useParams } from '../../app/router/router.tsx'
import { session } from '../../app/session.ts'
import { askedReturn } from '../../app/storage/return-requests.ts'
import { useStore } from '../../app/store.ts'
import { wentOff } from '../../app/viewing.ts'
import { useWords } from '../../app/words.ts'
import { isAhead } from '../../events/event-words.ts'
import { Command, commandFor } from '../../events/links/photographer-command.tsx'
import { AddToCalendar } from '../../plans/add-to-calendar.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { reasonOf } from '../../ui/failure.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { LanguageChoice } from '../language-choice.tsx'
import { GoOn } from './go-on.tsx'
import { Invitation } from './invitation.tsx'
import { JoinBar } from './join-bar.tsx'
import { LookIn } from './look-in.tsx'
import { type OpenedLink, useOpenedLink } from './opened-link.ts'
import { behindCode } from './page-behind.ts'
import { ScreenOff } from './screen-off.tsx'
import { WaitingToReturn } from './waiting-to-return.tsx'

/**
 * The page behind a scanned code: the event, and the way in. Someone already in the event is taken to it, or asked
 * whether they are its photographer.
 */
export const JoinPage = () => {
  const { t } = useWords()
  const { code } = useParams('/j/:code')
  const { opened, shown, isInside, error, retry, onReturned } = useOpenedLink(code)
  const reachable = useStore(online)
  if (!opened && wentOff(code)) return <ScreenOff />
  if (shown) return <Entrance {...{ code, isInside, onReturned }} opened={shown} />
  if (!error && reachable) return <InvitationPlaceholder />
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center px-4 py-4">
      <title>{`${t('event.title')} · Afterglow`}</title>
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
    </main>
  )
}

type Opened = { code: string; opened: OpenedLink; isInside: boolean }

/** The event, and the ways in. */
const Entrance = ({ code, opened, isInside, onReturned }: Opened & { onReturned(): void }) => {
  const { t } = useWords()
  const signedIn = useStore(session) !== undefined
  const [asked, setAsked] = useState(() => askedReturn(code))
  const { link_kind: kind, link_photographer: photographer } = opened
  const makesPeople = kind === 'guest' || kind === 'drop'
  const newGuest = kind === 'guest' && !signedIn
  const returning = makesPeople && !signedIn ? asked : undefined
  const link = { link_url: `${address}/j/${code}`, link_pin: opened.link_pin_required ? 'PIN' : null }
  return (
    <Invitation
      opened={opened}
      bar={makesPeople && !returning && <JoinBar {...{ code, opened, isInside }} onAsked={setAsked} />}
    >
      {photographer && <p className="text-pretty">{t('links.whatPhotographer')}</p>}
      {isInside ? (
        <p className="text-pretty">{t('links.stayAsYouAre')}</p>
      ) : (
        kind === 'drop' && <p className="text-pretty">{t('links.whatDrop')}</p>
      )}
      {photographer && <Command command={commandFor(link, t('photo.photographer'))} />}
      {!makesPeople && <LookIn code={code} opened={opened} />}
      {returning && (
        <WaitingToReturn
          {...{ code }}
          asked={returning}
          eventName={opened.event_name}
          onNew={() => setAsked(undefined)}
        />
      )}
      {newGuest && <GoOn onReturned={onReturned} />}
      {newGuest && isAhead(opened) && (
        <div>
          <AddToCalendar
            event={{ ...opened, url: `${address}/j/${code}` }}
            file={() => `${address}/j/${code}/event.ics`}
          />
        </div>
      )}
      {newGuest && !returning && <AlreadyIn code={code} />}
      <LanguageChoice />
    </Invitation>
  )
}

/** People without a password are not asked for one: this is how someone signed in on another device continues here. */
const AlreadyIn = ({ code }: { code: string }) => {
  const { t } = useWords()
  const back = { next: behindCode(currentVisit(), code) }
  return (
    <details className="text-sm">
      <summary className="inline-flex min-h-11 items-center font-semibold text-ember">{t('links.already')}</summary>
      <div className="grid gap-3 pb-1">
        <p className="text-pretty text-soft">{t('links.alreadyMore')}</p>
        <Link to="/sign-in" search={back} className={buttonClass('quiet', 'normal')}>
          {t('signIn.act')}
        </Link>
        <Link to="/transfer" search={back} className={buttonClass('quiet', 'normal')}>
          {t('ownCode.have')}
        </Link>
      </div>
    </details>
  )
}

export const InvitationPlaceholder = () => {
  const { t } = useWords()
  return (
    <main className="flex min-h-dvh flex-col lg:grid lg:grid-cols-2">
      <title>{`${t('event.title')} · Afterglow`}</title>
      <Skeleton className="min-h-[min(125vw,56svh)]" />
      <div className="mx-auto grid w-full max-w-120 flex-1 content-start gap-4 p-4 lg:content-center">
        <Skeleton className="h-5 w-4/5" />
        <Skeleton className="h-5 w-3/5" />
        <Skeleton className="h-28 rounded-2xl" />
      </div>
    </main>
  )
}
