import { ChevronRight, type LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from '../../app/router/router.tsx'

type Props = { icon: LucideIcon; name: string }
type Page =
  | '/settings/profile'
  | '/friends'
  | '/settings/devices'
  | '/settings/password'
  | '/settings/notifications'
  | '/settings/account'
  | '/reports'

const look = '-mx-4 flex min-h-13 items-center gap-3 px-4 py-2 hover:bg-hover'

const Content = ({ icon: Icon, name }: Props) => (
  <>
    <Icon className="size-5 text-soft" />
    <span className="flex-1">{name}</span>
    <ChevronRight className="size-5 text-soft rtl:-scale-x-100" />
  </>
)

/** A row under You that leads to a page. */
export const PageRow = ({ to, ...row }: Props & { to: Page }) => (
  <Link to={to} className={look}>
    <Content {...row} />
  </Link>
)

/** One that opens a dialog. */
export const DialogRow = ({ dialog, ...row }: Props & { dialog(onClose: () => void): ReactNode }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={`${look} w-[calc(100%+2rem)] text-start`} onClick={() => setOpen(true)}>
        <Content {...row} />
      </button>
      {open && dialog(() => setOpen(false))}
    </>
  )
}
