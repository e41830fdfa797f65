import { AfterglowError } from '@afterglow/sdk/methods'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, PackageOpen } from 'lucide-react'
import { longDayOf } from '../app/date-format.ts'
import { api } from '../app/net/client.ts'
import { sizeOf } from '../app/sizes.ts'
import { useWords } from '../app/words.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { reasonOf } from '../ui/failure.ts'
import { proofNeeded } from '../ui/prove-first.ts'
import { Section } from '../ui/section.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { sayOtherFailure } from './proof-needed.ts'
import { Prove } from './prove.tsx'
import { type Export, exportsKey, latestExportQuery } from './queries.ts'

/** The data export: requested, in progress, ready. */
export const ExportSection = () => {
  const { t } = useWords()
  const client = useQueryClient()
  const latest = useQuery(latestExportQuery)
  const ask = useMutation({
    mutationFn: async (isReady: boolean) => {
      if (!isReady) return client.setQueryData(exportsKey, await api.privacy.exportAccount())
      // Its address is only returned after re-authentication.
      if (!(await latest.refetch()).data?.export_url) throw new AfterglowError(400, undefined, { code: proofNeeded })
    },
    onError: sayOtherFailure,
  })
  const made = latest.data
  return (
    <Section title={t('export.title')}>
      <div className="grid gap-4 py-4">
        <p className="text-pretty text-soft">{t('export.about')}</p>
        <Prove of={ask} />
        {latest.isPending ? (
          <Skeleton className="h-11 rounded-full" />
        ) : latest.isError && !made ? (
          <p className="text-sm font-medium text-bad">{reasonOf(latest.error)}</p>
        ) : made?.export_state === 'ready' ? (
          <ReadyExport made={made} busy={ask.isPending} onAsk={() => ask.mutate(true)} />
        ) : made?.export_state === 'waiting' ? (
          <p
            role="status"
            className="flex min-h-11 items-center gap-3 rounded-xl bg-sunken px-4 py-2 text-sm text-pretty"
          >
            <Spinner className="size-5 shrink-0" />
            {t('export.waiting')}
          </p>
        ) : (
          <>
            {made?.export_state === 'failed' && <p className="text-sm font-medium text-bad">{t('export.failed')}</p>}
            <Button
              look="quiet"
              className="sm:justify-self-start"
              busy={ask.isPending}
              icon={<PackageOpen className="size-5" />}
              onClick={() => ask.mutate(false)}
            >
              {t('export.ask')}
            </Button>
          </>
        )}
      </div>
    </Section>
  )
}

type ReadyProps = { made: Export; busy: boolean; onAsk(): void }

/** To be downloaded, once its address was asked for. */
const ReadyExport = ({ made, busy, onAsk }: ReadyProps) => {
  const { t } = useWords()
  const download = (
    <>
      <Download className="size-5" />
      {t('export.download')} · {sizeOf(made.export_bytes ?? 0)}
    </>
  )
  return (
    <div className="grid gap-2">
      {made.export_url ? (
        <a href={made.export_url} download className={buttonClass('main')}>
          {download}
        </a>
      ) : (
        <Button busy={busy} onClick={onAsk}>
          {download}
        </Button>
      )}
      <p className="text-center text-sm text-soft" role="status">
        {t('export.until', { day: longDayOf(made.export_expires_at) })}
      </p>
    </div>
  )
}
