import { useQuery } from '@tanstack/react-query'
import {
  BellRing,
  Flag,
  KeyRound,
  LogOut,
  MonitorSmartphone,
  QrCode,
  ShieldCheck,
  UserRoundPen,
  UsersRound,
} from 'lucide-react'
import { useState } from 'react'
import { useWords } from '../../app/words.ts'
import { anyReportQuery } from '../../people/any-report-query.ts'
import { useRegistration } from '../../people/registration.ts'
import { CalendarSection } from '../../plans/calendar-section.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Avatar } from '../../ui/pictures/avatar.tsx'
import { Section } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AccountHint, guestStatus } from '../account-hint.tsx'
import { OwnCodeDialog } from '../own-code-dialog.tsx'
import { type Account, accountQuery } from '../queries.ts'
import { signOut } from '../sign-out.ts'
import { TransferDialog } from '../transfer-dialog.tsx'
import { LookSection } from './look-section.tsx'
import { SeenSwitch } from './seen-switch.tsx'
import { DialogRow, PageRow } from './settings-row.tsx'

export const SettingsPage = () => {
  const { t } = useWords()
  const { data: account, isLoading } = useQuery(accountQuery)
  const closed = useRegistration() === 'closed'
  const reports = useQuery(anyReportQuery)
  return (
    <>
      <title>{`${t('settings.title')} · Afterglow`}</title>
      <PageHeader title={t('settings.title')} />
      {/* Half of it would be pushed down by what the account has to say. */}
      {isLoading || reports.isLoading ? (
        <Placeholder />
      ) : (
        <div className="mx-auto grid grid-cols-1 max-w-2xl gap-6 px-4 py-6">
          {account && <Who account={account} />}
          {account && <AccountHint account={account} closed={closed} />}
          <Section title={t('settings.account')}>
            <PageRow to="/settings/profile" icon={UserRoundPen} name={t('profile.title')} />
            <PageRow to="/friends" icon={UsersRound} name={t('friends.title')} />
            {account?.user_status !== guestStatus && (
              <PageRow to="/settings/password" icon={KeyRound} name={t('password.title')} />
            )}
            <PageRow to="/settings/devices" icon={MonitorSmartphone} name={t('devices.title')} />
            <DialogRow icon={QrCode} name={t('transfer.title')} dialog={close => <TransferDialog onClose={close} />} />
            {account?.user_status === guestStatus && (
              <DialogRow
                icon={KeyRound}
                name={t('ownCode.title')}
                dialog={close => <OwnCodeDialog onClose={close} />}
              />
            )}
            <PageRow to="/settings/account" icon={ShieldCheck} name={t('account.title')} />
            <PageRow to="/settings/notifications" icon={BellRing} name={t('settings.notifications')} />
            <SeenSwitch />
            {reports.data && <PageRow to="/reports" icon={Flag} name={t('reports.title')} />}
          </Section>
          <CalendarSection />
          <LookSection />
          <SignOut guest={account?.user_status === guestStatus} />
          <p className="text-center text-sm text-soft">
            <bdi>{`Afterglow ${document.documentElement.dataset.version ?? ''}`}</bdi>
          </p>
        </div>
      )}
    </>
  )
}

const Placeholder = () => (
  <div className="mx-auto grid grid-cols-1 max-w-2xl gap-6 px-4 py-6">
    <div className="flex items-center gap-4">
      <Skeleton className="size-19 rounded-full" />
      <div className="grid flex-1 gap-2">
        <Skeleton className="h-6 w-2/5" />
        <Skeleton className="h-4 w-1/4" />
      </div>
    </div>
    <Skeleton className="h-72 rounded-2xl" />
    <Skeleton className="h-32 rounded-2xl" />
  </div>
)

const Who = ({ account }: { account: Account }) => (
  <div className="flex items-center gap-4">
    <Avatar src={account.user_avatar_url} size={76} />
    <div className="min-w-0">
      <p className="truncate font-display text-xl font-semibold" dir="auto">
        {account.user_first_name} {account.user_last_name}
      </p>
      <p className="truncate text-soft" dir="auto">
        @{account.user_username}
      </p>
    </div>
  </div>
)

const SignOut = ({ guest }: { guest: boolean }) => {
  const { t } = useWords()
  const [leaving, setLeaving] = useState(false)
  return (
    <>
      <Button look="quiet" icon={<LogOut className="size-5" />} onClick={() => setLeaving(true)}>
        {t('settings.signOut')}
      </Button>
      <Confirm
        open={leaving}
        onClose={() => setLeaving(false)}
        title={t('settings.signOutTitle')}
        about={guest ? t('settings.signOutGuest') : t('settings.signOutAbout')}
        act={t('settings.signOut')}
        onAct={() => void signOut()}
      />
    </>
  )
}
