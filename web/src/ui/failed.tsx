import { AfterglowError, isLasting } from '@afterglow/sdk/methods'
import { CloudOff, Search, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { statusOf } from '../app/net/client.ts'
import { online } from '../app/net/network.ts'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

const againAfterMs = 6000
/** The delay that the service asks for, after too many requests. */
const waitOf = (error: unknown) =>
  Math.max(againAfterMs, (error instanceof AfterglowError ? (error.retryAfterSeconds ?? 0) : 0) * 1000)

type Failure = {
  error: unknown
  retry?: () => void
  /** The meaning and the likely reason of its absence, and another place to go. */
  gone?: string
  goneMore?: string
  goneAction?: ReactNode
  heading?: 'h1' | 'h2'
}

/** A loading error in human words, with a way on. */
export const Failed = ({ error, retry, gone, goneMore, goneAction, heading = 'h2' }: Failure) => {
  const { t } = useWords()
  const reachable = useStore(online)
  const status = statusOf(error)
  const passing = !isLasting(error)
  useEffect(() => {
    if (!retry || !passing) return
    const timer = setTimeout(retry, waitOf(error))
    return () => clearTimeout(timer)
  })
  const again = retry && (
    <Button look="quiet" onClick={retry}>
      {t('common.tryAgain')}
    </Button>
  )
  if (status === 404 || status === 400)
    return (
      <Notice heading={heading} icon={Search} title={gone ?? t('failed.gone')} action={goneAction}>
        {goneMore}
      </Notice>
    )
  if (!reachable || status === undefined)
    return (
      <Notice heading={heading} icon={CloudOff} title={t('failed.offline')} action={again}>
        {t('failed.offlineMore')}
      </Notice>
    )
  return (
    <Notice
      heading={heading}
      icon={TriangleAlert}
      title={status === 429 ? t('failed.tooMany') : t('failed.server')}
      action={again}
    >
      {t('failed.byItself')}
    </Notice>
  )
}
