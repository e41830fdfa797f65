import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { schemasIn } from '@afterglow/contract/json-schemas'
import { operations } from '@afterglow/contract/operations'
import { expect, test } from 'vitest'

/*
 * Every sentence with a number or a promise, and the fact behind it: a field of an operation's reply, or `here` for
 * facts that only this device knows, such as how many files were chosen. A new sentence needs its fact.
 */

const facts: Record<string, string> = {
  'allowance.added': 'readAllowance photos_count',
  'announce.readBy': 'listAnnouncements announcement_seens_count',
  'answer.reminded': 'remindGuests reminded_count',
  'answer.unanswered': 'readAnswer unanswered_count',
  'answer.unconfirmed': 'readAnswer unconfirmed_count',
  'chat.pictures': 'listMessages attachments',
  'chat.reaction': 'listMessages message_reaction_count',
  'comments.replies': 'listComments event_photo_comment_replies_count',
  'composer.tooMany': 'here',
  'drop.others': 'here',
  'drop.tooManyTitle': 'here',
  'event.guests': 'readEvent event_guests_count',
  'gallery.allowance': 'readAllowance photos_max',
  'gallery.chosen': 'here',
  'evening.messages': 'readChat last_sequence',
  'gallery.count': 'readTimeline timeline_photos_count',
  'gallery.deleteTitle': 'here',
  'gallery.deletedDone': 'here',
  'gallery.new': 'here',
  'gallery.newSince': 'here',
  'invitation.comingAnd': 'openLink going_count',
  'invitation.left': 'openLink event_places_left',
  'invitations.waiting': 'listInvitations data',
  'invite.done': 'here',
  'invite.mailed': 'here',
  'invite.send': 'here',
  'links.awayDone': 'sendAwayByLink away_people_count',
  'links.days': 'here',
  'links.devices': 'listLinks link_uses',
  'links.uses': 'listLinks link_uses',
  'nav.unread': 'countUnreadNotifications unread_count',
  'notifications.moreComments': 'listNotifications notification_count',
  'notifications.moreLikes': 'listNotifications notification_count',
  'notifications.moreRequests': 'listNotifications notification_count',
  'photo.like': 'readPhoto event_photo_likes_count',
  'photo.likes': 'readPhoto event_photo_likes_count',
  'photo.talk': 'readPhoto event_photo_comments_count',
  'poll.voters': 'vote voters_count',
  'share.which': 'here',
  'upload.already': 'here',
  'upload.kept': 'here',
  'upload.pill.needs': 'here',
  'upload.refused': 'here',
  'upload.safe': 'here',
  'upload.stay': 'here',
  'waiting.all': 'readEvent waiting_count',
  'waiting.approved': 'approvePhotos photos_decided_count',
  'waiting.count': 'listEvents waiting_count',
  'waiting.hint': 'readEvent waiting_count',
  'waiting.kind.join_requests': 'listWaiting waiting_count',
  'waiting.kind.photos': 'listWaiting waiting_count',
  'waiting.kind.reports': 'listWaiting waiting_count',
  'waiting.kind.returns': 'listWaiting waiting_count',
  'waiting.refused': 'refusePhotos photos_decided_count',
  'waiting.undone': 'undoDecision photos_decided_count',
  'wall.justAdded': 'here',
  'wall.seconds': 'readWall wall_seconds',
}

/** Promises without a number. */
const promises: Record<string, string> = {
  'announce.unread': 'listAnnouncements announcement_seens_count',
  'download.raws': 'linkAlbum download_raws_count',
  'gallery.noneMore': 'readEvent photo_approval',
  'gallery.noneOwn': 'readEvent album',
  'gallery.noneSealed': 'readEvent event_photos_shown',
  'gallery.noneWait': 'readEvent photo_approval',
  'links.never': 'listLinks link_expires_at',
  'reveal.at': 'readEvent event_reveals_at',
  'reveal.done': 'readEvent event_photos_shown',
  'reveal.never': 'readEvent event_photos_shown',
  'reveal.sometime': 'readEvent event_photos_shown',
  'waiting.about.album': 'readEvent photo_approval',
  'waiting.about.none': 'readEvent photo_approval',
  'waiting.about.wall': 'readEvent photo_approval',
  'waiting.before': 'approvePhotos decision_id',
  'welcome.more': 'readEvent event_starts_at',
}

const words = join(import.meta.dirname, '../src/words')
type Tree = { [key: string]: string | Tree }
const keysOf = (tree: Tree, path = ''): string[] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? path + key : keysOf(value, `${path}${key}.`),
  )
const plural = /_(?:zero|one|two|few|many|other)$/
const languages = readdirSync(words).map(name => {
  const { refusals: _, direction: __, ...said } = JSON.parse(readFileSync(join(words, name), 'utf8'))
  return { name, keys: keysOf(said) }
})

test.each(languages)('every sentence with a number has its fact: $name', ({ keys }) => {
  const counted = keys.filter(key => plural.test(key)).map(key => key.replace(plural, ''))
  expect([...new Set(counted)].sort()).toEqual(Object.keys(facts).sort())
  expect(Object.keys(promises).filter(key => !keys.includes(key))).toEqual([])
})

test('a fact is a field of the service’s replies', () => {
  const unknown = Object.values({ ...facts, ...promises })
    .filter(fact => fact !== 'here')
    .filter(fact => {
      const [name, field] = fact.split(' ')
      const operation = operations.find(each => each.name === name)
      const { schemas, schemaOf } = schemasIn()
      return !operation || !JSON.stringify([schemaOf(operation.reply, 'output'), schemas]).includes(`"${field}"`)
    })
  expect(unknown).toEqual([])
})
