import { beforeEach } from 'vitest'
import { full } from './full.ts'

/**
 * Tests that take long or wait long, five seconds and more: by file, each by how its name begins. They run in
 * `npm run test:full` and for whoever names their file, and are shown as skipped in `npm test`.
 */
export const slowTests: Readonly<Record<string, readonly string[]>> = {
  'bench/src/fill/fill.test.ts': ['the filled database is one that the service could have written'],
  'sdk/src/cli/upload.test.ts': [
    'arrives once and as it is, through cut connections, killed servers and a killed program',
  ],
  'server/src/command/doctor.test.ts': ['asked to be thorough, it reads every file and recounts every count'],
  'server/src/command/users.test.ts': ['the program itself runs, and ends as it says'],
  'server/src/gallery/album-zip.test.ts': ['a gallery of thousands is one zip, and statements are bounded'],
  'server/src/gallery/channel-payloads.test.ts': ['a photo that comes, is described and goes, as each would read it'],
  'server/src/gallery/film-over-bad-network.test.ts': ['arrives as it is and plays'],
  'server/src/gallery/resumed-uploads.test.ts': [
    'an answered byte is there after kill -9, whatever came behind it',
    'goes on where it was after a',
    'a large photo arrives as it is, however often its connection is cut, and the server does not grow',
  ],
  'server/src/gallery/videos.test.ts': [
    'larger than what plays can be saved in its own resolution, without its place and what its encoder said',
    'of somebody with one comes before the last of somebody with many, and too many are refused',
  ],
  'server/src/invariants/invariants.test.ts': [
    'after puts that are refused, cut, flipped or not answered, the service says so and goes on',
  ],
  'server/src/main.test.ts': [
    'after kill -9 the next start takes the database over, and stays up when that is killed too',
    'asked again a while later it ends at once, and still takes the database along',
    'secrets that are lost stop the start before new ones are written',
    'it outlives who reads what it says',
    'a client that vanished without a word holds up no stop',
  ],
  'server/src/notifications/crash.test.ts': [
    'reminders, held notifications and those that wait for a ring come exactly once, though processes are killed',
  ],
  'server/src/notifications/digest.test.ts': [
    'asks who opens it, ends them with one click, and says the same a second time',
  ],
  'server/src/notifications/model.test.ts': [
    'whatever happens at the same time, each device has the newest text of what is unread by one way at least',
  ],
  'server/src/platform/backup/backup.test.ts': [
    'commands and backups work on a stopped instance too, and leave it stopped',
  ],
  'server/src/platform/database/databases-of-others.test.ts': [
    'through PgBouncer by session the service works, jobs and channel too',
  ],
  'server/src/platform/database/silent-database.test.ts': [
    'a database host that vanishes without a word is told within a second and healed within 30',
    'a statement that takes its time is not cut, one whose host is gone is, and the pool is whole again',
  ],
  'server/src/platform/media/medium-sizes.test.ts': [
    'is the display size until it is made, and where it saves nothing',
    'is not made of a photo that was deleted meanwhile, nor beyond its owner’s space',
    'a picture of a chat comes so as well',
  ],
  'server/src/platform/media/storage-migration.test.ts': [
    'everything new goes there, and what is not there yet is read where it was',
  ],
  'server/src/platform/media/sweep.test.ts': [
    'every orphan goes and every other file stays, of more than is looked up at once',
  ],
  'server/src/platform/media/tone-mapping.test.ts': ['a grid of 48 tiles is decoded whole'],
  'server/src/platform/video/videos.test.ts': ['progress rises, and a film that takes too long is stopped'],
  'server/test/database-move.test.ts': [
    'every row, number and reference is there, the source stays as it was and is served no more',
    'the service goes on at the new place where it stopped at the old one',
  ],
  'server/test/failover.test.ts': [
    'a database put back to an hour ago is found out by who remembers more, also when nothing in it says so',
  ],
  'server/test/hostile-bodies.test.ts': [
    'forms that were refused are forgotten with their connections',
    'a text body that trickles is refused after half a minute, however it trickles',
  ],
  'server/test/no-websocket.test.ts': ['a client asks more seldom when nothing happens'],
  'server/test/revoked.test.ts': [
    'a session that ends is over on every one of three nodes within a second, also where the log does not arrive',
    'a node’s notes of the last uses of devices are written when it stops',
  ],
  'server/test/several-processes.test.ts': [
    'restarting them by the command line loses no request, and nobody who listens misses anything',
    'when the one above them is killed all end, and the next start serves what they had',
  ],
  'web/test/as-an-app.test.ts': ['installed, read without a network, pushed to and renewed'],
  'web/test/chat.test.ts': [
    'a long history is read upwards without jumps, and a found message is shown in its place',
    'an organizer pins a message, a guest is led to it, and unpinned it is gone from the top',
  ],
  'web/test/dialogs.test.ts': [
    'each opens, says what it is, keeps the focus, closes with Escape and gives the focus back',
  ],
  'web/test/engines.test.ts': [
    'messages written while the service is away are sent in their order once it is back, and what was missed is there',
  ],
  'web/test/first-load.test.ts': [
    'the early requests are what the page needs, and none is made twice',
    'the picture of an event is asked for once, no larger than where it is shown',
  ],
  'web/test/fitting.test.ts': [
    'keeps what is read and pressed clear of the notch and the bar of a phone that is held sideways',
  ],
  'web/test/gallery.test.ts': [
    'photos chosen without a network arrive after a reload, and the wall shows them at once',
  ],
  'web/test/keyboard.test.ts': ['an album is looked through, liked, talked about and selected from'],
  'web/test/later.test.ts': [
    'a menu and a dialog whose code cannot be had say so, can be closed, and open once it can',
  ],
  'web/test/leafing.test.ts': ['meets no limit, is told as active within them, and misses nothing'],
  'web/test/no-websocket.test.ts': [
    'a page opened from another one is loaded anew, and one that nobody looks at asks nothing',
    'a client that is let through again gets the channel, and the bar goes',
  ],
  'web/test/offline-acts.test.ts': [
    'a reaction in the chat goes later, and waiting messages stay in sight over a reload',
  ],
  'web/test/rail.test.ts': ['is jumped through by its days, and goes on in both directions from there'],
  'web/test/reporting.test.ts': ['reaches the organizer, who looks at it, hides it, and finds what she did in the log'],
  'web/test/under-way.test.ts': ['covers neither the ways into chat and album nor who waits, on any screen'],
  'web/test/upload-sources.test.ts': ['onto a chat a few pictures become a message, and a folder goes into the album'],
  'web/test/upload-tabs.test.ts': ['goes on in the other when the one that chose the files is'],
  'web/test/uploads.test.ts': ['60 photos, the network cut twice: all are safe, and each is there once'],
  'web/test/viewer.test.ts': [
    'of a chat opens in the same viewer',
    'plays its moment while it is pressed, and from its button',
  ],
  'web/test/wall.test.ts': ['goes on without a network, and takes what came meanwhile when it is back'],
}

if (!full && process.env.ASKED !== '1')
  beforeEach(({ task, skip }) => {
    const slow = slowTests[task.file.name] ?? []
    if (slow.some(beginning => task.name.startsWith(beginning))) skip('it takes long, and runs in `npm run test:full`')
  })
