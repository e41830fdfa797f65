import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  Check,
  EyeOff,
  Image,
  type LucideIcon,
  MessageCircle,
  MessagesSquare,
  PartyPopper,
  UserRound,
} from 'lucide-react'
import { ago } from '../app/date-format.ts'
import { api } from '../app/net/client.ts'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { sayFailure } from '../ui/failure.ts'
import { say } from '../ui/layers/toasts.ts'
import { reportsKey } from './any-report-query.ts'
import { nameOf } from './names.ts'
import type { Report } from './reports-queries.ts'

const icons: Record<Report['report_type'], LucideIcon> = {
  user: UserRound,
  event: PartyPopper,
  message: MessagesSquare,
  photo: Image,
  comment: MessageCircle,
}

/** A reported item, the reason, and the possible actions. `here`: the viewer organizes its event. */
export const ReportCard = ({ report, here }: { report: Report; here: boolean }) => {
  const { t } = useWords()
  const Icon = icons[report.report_type]
  const name = report.about ? nameOf(report.about) : ''
  return (
    <li className="grid grid-cols-1 gap-3 rounded-2xl border border-line bg-card p-4 shadow-card">
      <div className="flex items-center gap-3">
        <span className="grid size-10 shrink-0 place-items-center rounded-xl bg-glow text-on-glow">
          <Icon className="size-5" aria-hidden="true" />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold text-pretty wrap-anywhere">
            <bdi>{t(`reports.what.${report.report_type}`, { name })}</bdi>
          </h2>
          <p className="truncate text-sm text-soft">
            {report.reported_by && `${t('reports.by', { name: nameOf(report.reported_by) })} · `}
            {ago(report.created_at)}
          </p>
        </div>
        {report.report_target_visible && <Look report={report} />}
      </div>
      <blockquote className="rounded-xl bg-sunken px-4 py-3 text-pretty whitespace-pre-wrap wrap-anywhere" dir="auto">
        {report.report_reason}
      </blockquote>
      {report.report_status === 'open' ? (
        <Acts report={report} here={here} />
      ) : (
        <p className="text-sm text-soft">
          {report.resolved_by
            ? t('reports.closedBy', { name: nameOf(report.resolved_by), when: ago(report.resolved_at ?? '') })
            : t('reports.closedAt', { when: ago(report.resolved_at ?? '') })}
        </p>
      )}
    </li>
  )
}

const hide = async ({ report_type: type, report_target_id: id }: Report) => {
  if (type === 'photo') await api.gallery.hidePhoto({ event_photo_id: id })
  else if (type === 'comment') await api.gallery.hideComment({ event_photo_comment_id: id })
  else if (type === 'message') await api.chats.hideMessage({ message_id: id })
}

const Acts = ({ report, here }: { report: Report; here: boolean }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const close = useMutation({
    mutationFn: async (hides: boolean) => {
      if (hides) await hide(report)
      await api.people.resolveReport({ report_id: report.id })
    },
    onSuccess: (_, hides) => {
      say(hides ? t('reports.hidden') : t('reports.closed'))
      return client.invalidateQueries({ queryKey: reportsKey })
    },
    onError: sayFailure,
  })
  const hideable = here && report.report_target_visible && !['user', 'event'].includes(report.report_type)
  const closing = close.isPending ? close.variables : undefined
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      {hideable && (
        <Button
          look="soft"
          size="small"
          busy={closing === true}
          disabled={closing === false}
          icon={<EyeOff className="size-4.5" aria-hidden="true" />}
          onClick={() => close.mutate(true)}
        >
          {t('reports.hide')}
        </Button>
      )}
      <Button
        look="quiet"
        size="small"
        busy={closing === false}
        disabled={closing === true}
        icon={<Check className="size-4.5" aria-hidden="true" />}
        onClick={() => close.mutate(false)}
      >
        {t('reports.close')}
      </Button>
    </div>
  )
}

/** Opens the reported item. */
const Look = ({ report }: { report: Report }) => {
  const { t } = useWords()
  const { event_id: eventId, event_photo_id: photoId, report_target_id: id, report_type: type } = report
  const look = { className: buttonClass('bare', 'small', '-me-2'), children: t('reports.look') }
  if (type === 'user') return <Link to="/people/:userId" params={{ userId: id }} {...look} />
  if (eventId === null) return null
  if (type === 'event') return <Link to="/events/:eventId" params={{ eventId }} {...look} />
  if (type === 'message')
    return <Link to="/events/:eventId/chat" params={{ eventId }} search={{ message: id }} {...look} />
  if (photoId === null) return null
  return <Link to="/events/:eventId/photos/:photoId" params={{ eventId, photoId: String(photoId) }} {...look} />
}
