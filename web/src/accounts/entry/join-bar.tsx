import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { whenIdle } from '../../app/idle.ts'
import { useNow } from '../../app/now.ts'
import { session } from '../../app/session.ts'
import type { AskedReturn } from '../../app/storage/return-requests.ts'
import { useStore } from '../../app/store.ts'
import { useWords } from '../../app/words.ts'
import { phaseAt } from '../../events/phase.ts'
import { type Answer, answers } from '../../plans/answer-fields.tsx'
import { Button } from '../../ui/button.tsx'
import { formError } from '../../ui/failure.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { accountQuery } from '../queries.ts'
import { useJoining } from './join-act.ts'
import { JoinForm } from './join-form.tsx'
import { NamesakeDialog } from './namesake-dialog.tsx'
import type { OpenedLink } from './opened-link.ts'

/** `isInside`: for somebody in the event, who becomes its photographer. */
type Props = { code: string; opened: OpenedLink; isInside: boolean; onAsked(asked: AskedReturn): void }

/** The answers, at the thumb. Each asks in a sheet for what is missing, and sending that is joining. */
export const JoinBar = ({ code, opened, isInside, onAsked }: Props) => {
  const { t } = useWords()
  const signedIn = useStore(session) !== undefined
  const { data: account } = useQuery({ ...accountQuery, enabled: signedIn })
  const [chosen, setChosen] = useState<Answer | 'in'>()
  // The sheet takes its step back in the history before another page is opened.
  const close = () => {
    flushSync(() => setChosen(undefined))
    return new Promise<void>(resolve => setTimeout(resolve))
  }
  const { come, namesake, busy, error } = useJoining(code, opened, isInside, close)
  const phase = phaseAt(opened, useNow())
  const asks = opened.link_kind === 'guest' && !isInside && phase === 'before'
  // The sheet opens at once, also on a slow network.
  useEffect(() => void whenIdle().then(() => import('../../ui/layers/dialog-sheet.tsx').catch(() => {})), [])
  const way = isInside
    ? t('links.photograph')
    : account
      ? t('links.joinAs', { name: account.user_first_name })
      : opened.link_kind === 'drop'
        ? t('gallery.add')
        : phase === 'after'
          ? t('invitation.photos')
          : t('invitation.comeIn')
  const nothingToAsk = signedIn && !opened.link_pin_required
  return (
    <>
      {nothingToAsk && !asks && <FormProblem text={formError(error, [])} />}
      {asks ? (
        answers.map(answer => (
          <Button
            key={answer}
            size="large"
            look={answer === 'going' ? 'main' : 'quiet'}
            className={`${answerShape} ${answer === 'going' ? 'flex-[1.4]' : 'flex-1'}`}
            onClick={() => setChosen(answer)}
          >
            {t(`invitation.answer.${answer}`)}
          </Button>
        ))
      ) : (
        <Button
          size="large"
          className="w-full"
          busy={busy && chosen === undefined}
          onClick={() => (nothingToAsk ? come(new FormData()) : setChosen('in'))}
        >
          <span className="min-w-0 wrap-anywhere">{way}</span>
        </Button>
      )}
      {/* Somebody of that name is asked about first. */}
      <Dialog
        open={chosen !== undefined && !namesake}
        onClose={() => setChosen(undefined)}
        title={chosen === undefined || chosen === 'in' ? way : t(`invitation.answer.${chosen}`)}
      >
        <JoinForm {...{ code, opened, signedIn, busy, error, come }} answer={chosen === 'in' ? undefined : chosen} />
      </Dialog>
      {namesake && <NamesakeDialog {...{ code, onAsked }} eventId={opened.event_id} {...namesake} />}
    </>
  )
}

/** Three fit beside each other on the narrowest phone, in every language. */
const answerShape = 'min-w-0 px-2 text-base whitespace-nowrap min-[24rem]:text-base'
