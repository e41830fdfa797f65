import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Laptop, Smartphone } from 'lucide-react'
import { paged, rowsOf } from '../app/cache/pages.ts'
import { ago } from '../app/date-format.ts'
import { api } from '../app/net/client.ts'
import { platformOf } from '../app/platforms.ts'
import { deviceId } from '../app/session.ts'
import { useWords } from '../app/words.ts'
import { nameOf } from '../people/names.ts'
import { Button } from '../ui/button.tsx'
import { Failed } from '../ui/failed.tsx'
import { sayFailure } from '../ui/failure.ts'
import { say } from '../ui/layers/toasts.ts'
import { LoadMore } from '../ui/load-more.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { sayOtherFailure } from './proof-needed.ts'
import { Prove } from './prove.tsx'

const devicesKey = ['devices'] as const
type Device = Awaited<ReturnType<typeof api.accounts.listDevices>>['data'][number]

export const DevicesPage = () => {
  const { t } = useWords()
  const client = useQueryClient()
  const list = useInfiniteQuery({
    ...paged,
    queryKey: devicesKey,
    queryFn: ({ pageParam, signal }) => api.accounts.listDevices({ page: pageParam, page_length: 50 }, { signal }),
    staleTime: 0,
  })
  const end = useMutation({
    mutationFn: (device_id: string) => api.accounts.removeDevice({ device_id }),
    onSuccess: () => {
      say(t('devices.ended'))
      return client.invalidateQueries({ queryKey: devicesKey })
    },
    onError: sayOtherFailure,
  })
  const disown = useMutation({
    mutationFn: () => api.accounts.disownLetIns(),
    onSuccess: () => {
      say(t('devices.disowned'))
      return client.invalidateQueries({ queryKey: devicesKey })
    },
    onError: sayFailure,
  })
  const devices = rowsOf(list.data, device => device.device_id)
  return (
    <>
      <title>{`${t('devices.title')} · Afterglow`}</title>
      <PageHeader title={t('devices.title')} back={{ to: '/settings' }} />
      <div className="mx-auto max-w-2xl px-4 py-6">
        <p className="mb-4 text-soft">{t('devices.about')}</p>
        <Prove of={end} />
        {list.isPending && <SkeletonRows rows={3} />}
        {list.isError && !list.data && <Failed error={list.error} retry={() => void list.refetch()} />}
        <ul className="grid grid-cols-1 gap-3">
          {devices.map(device => (
            <DeviceRow
              key={device.device_id}
              device={device}
              busy={device.let_in_by ? disown.isPending : end.isPending && end.variables === device.device_id}
              onEnd={() => (device.let_in_by ? disown.mutate() : end.mutate(device.device_id))}
            />
          ))}
        </ul>
        <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
      </div>
    </>
  )
}

const DeviceRow = ({ device, busy, onEnd }: { device: Device; busy: boolean; onEnd(): void }) => {
  const { t } = useWords()
  const Icon = device.user_device_platform === 'web' ? Laptop : Smartphone
  const here = device.current || device.device_id === deviceId()
  return (
    <li className="flex items-center gap-4 rounded-2xl border border-line bg-card p-4 shadow-card">
      <Icon className="size-7 text-soft" strokeWidth={1.6} aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{here ? t('devices.this') : platformOf(device.user_device_platform)}</p>
        <p className="text-sm text-pretty text-soft">
          {device.active ? t('devices.active') : t('devices.lastUsed', { when: ago(device.last_used_at) })} ·{' '}
          {device.user_timezone}
        </p>
        {device.let_in_by && (
          <p className="text-sm text-pretty text-soft">{t('devices.letInBy', { name: nameOf(device.let_in_by) })}</p>
        )}
      </div>
      {!here && (
        <Button look="danger" size="small" busy={busy} onClick={onEnd}>
          {device.let_in_by ? t('devices.notMe') : t('devices.end')}
        </Button>
      )}
    </li>
  )
}
