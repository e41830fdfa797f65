import { Aperture, Download, EllipsisVertical, Eye, EyeOff, Film, Flag, MonitorPlay, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { session } from '../../app/session.ts'
import { sizeOf } from '../../app/sizes.ts'
import { useWords } from '../../app/words.ts'
import { askToReport } from '../../people/report-target.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { Menu } from '../../ui/layers/menu.tsx'
import type { Photo } from '../queries.ts'
import { momentOf, save, saveLabel, savePhoto } from '../save-files.ts'
import { isHeld, usePhotoActs } from './photo-acts.ts'
import { canShare } from './share.ts'
import { RoundButton } from './viewer-top.tsx'

/** The permitted actions on a photo. */
export const PhotoMenu = ({ photo, onGone }: { photo: Photo; onGone(id: string): void }) => {
  const { t } = useWords()
  const [asking, setAsking] = useState(false)
  const { remove, hide, showNow } = usePhotoActs(onGone)
  const { may, waiting, hidden, original, raw } = photo.extra
  const moment = momentOf(photo)
  const held = isHeld(photo)
  return (
    <>
      <Menu
        trigger={
          <RoundButton label={t('photo.more')}>
            <EllipsisVertical />
          </RoundButton>
        }
        items={[
          canShare && { label: saveLabel(original), icon: Download, act: () => savePhoto(photo) },
          raw != null && {
            label: t('photo.saveRaw', { size: sizeOf(raw.bytes) }),
            icon: Aperture,
            act: () => save(raw.url, raw.name),
          },
          moment != null && { label: t('photo.saveMoment'), icon: Film, act: () => save(moment.url, moment.name) },
          may.hide === true &&
            !hidden &&
            !waiting && { label: t('wall.showNow'), icon: MonitorPlay, act: () => showNow.mutate(photo) },
          may.hide === true && {
            label: waiting ? t('waiting.approve') : held ? t('photo.unhide') : t('photo.hide'),
            icon: held ? Eye : EyeOff,
            act: () => hide.mutate(photo),
          },
          may.comment &&
            photo.taken_by.id !== (session.get()?.userId ?? 0) && {
              label: t('report.act'),
              icon: Flag,
              act: () => askToReport('photo', Number(photo.id)),
            },
          may.delete === true && {
            label: t('chat.delete'),
            icon: Trash2,
            act: () => setAsking(true),
            danger: true,
          },
        ]}
      />
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('gallery.deleteTitle', { count: 1 })}
        about={t('gallery.deleteAbout')}
        act={t('chat.delete')}
        onAct={() => remove.mutate(photo)}
      />
    </>
  )
}
