import sharp, { type Sharp } from 'sharp'
import { atTestBed } from '../checks/acknowledged.ts'
import { checkCounts } from '../checks/counts.ts'
import { checkFiles } from '../checks/files.ts'
import type { FilePart, Json } from '../http.ts'
import type { Part } from '../part.ts'
import { filmOf, lacksFilms } from '../people/films.ts'
import { hostileBodies } from '../people/hostile-values.ts'
import { insist, type Person } from '../people/party.ts'
import { pixelsOf } from '../people/pictures.ts'
import type { Random } from '../random.ts'
import { onTestBed, type Run, type TestBed } from '../test-bed.ts'

/** A video takes ten times as long as a picture: a full run has eight thousand. */
const filmsShare = 0.05
/** Concurrent senders; each waits for its own answer. */
const atOnce = 6

/** Planted in metadata: it must not appear in anything that is served. */
const planted = 'PLANTED-PLACE-OF-THE-PICTURE'

type Seed = { name: string; type: string; bytes: Buffer; field: 'image' | 'video' }

/**
 * Small files of every accepted type with a secret in their metadata, generated here so that nothing is copied from
 * elsewhere.
 */
const makePictures = (random: Random): Promise<Seed[]> => {
  const raw = sharp(random.bytes(48 * 36 * 3), { raw: { width: 48, height: 36, channels: 3 } })
  const exif = { IFD0: { ImageDescription: planted, Copyright: planted } }
  const image = async (ending: string, encoded: Sharp): Promise<Seed> => ({
    name: `a.${ending}`,
    type: `image/${ending}`,
    bytes: await encoded.withExif(exif).toBuffer(),
    field: 'image',
  })
  return Promise.all([
    image('jpeg', raw.clone().jpeg()),
    image('jpeg', raw.clone().jpeg({ progressive: true })),
    image('png', raw.clone().png()),
    image('webp', raw.clone().webp()),
    image('gif', raw.clone().gif()),
    image('avif', raw.clone().avif({ effort: 0 })),
  ])
}

const makeFilms = (): Seed[] =>
  ['mp4', 'mov', 'avi', 'wmv'].map(ending => ({
    name: `a.${ending}`,
    type: 'video/mp4',
    bytes: filmOf(ending),
    field: 'video',
  }))

/** Mutates a file in one of the ways in which files get corrupted. */
export const mutate = (bytes: Buffer, random: Random): Buffer => {
  const copy = Buffer.from(bytes)
  const at = () => random.whole(0, copy.length - 1)
  return random.weighted<() => Buffer>([
    [
      6,
      () => {
        for (let flips = random.whole(1, 12); flips > 0; flips--) {
          const place = at()
          copy[place] = (copy[place] as number) ^ (1 << random.whole(0, 7))
        }
        return copy
      },
    ],
    [2, () => copy.subarray(0, at())],
    [2, () => Buffer.concat([copy, random.bytes(random.whole(1, 5000))])],
    [2, () => Buffer.concat([copy.subarray(0, at()), copy.subarray(at())])],
    [
      3,
      () => {
        // Lengths and dimensions are near the beginning, in four bytes each.
        const place = random.whole(0, Math.min(200, copy.length - 5))
        copy.writeUInt32BE(random.pick([0, 1, 0x7fffffff, 0xffffffff, 0x80000000, 0x10000]), place)
        return copy
      },
    ],
    [1, () => Buffer.concat([Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'), copy])],
    [1, () => Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n')],
    [1, () => random.bytes(random.whole(0, 2000))],
  ])()
}

const hostile = async (run: Run) => {
  await onTestBed(
    run,
    async testBed => {
      const { random, report } = run
      const [pictures, films] = [await makePictures(random.of('seeds')), makeFilms()]
      report.note(`seeds: ${[...pictures, ...films].map(({ name }) => name).join(', ')}`)
      let taken = 0
      let next = 0
      const sending = Array.from({ length: atOnce }, async () => {
        for (let nth = next++; nth < run.count && !run.signal.aborted; nth = next++) {
          report.fault()
          const drawn = random.of(`file ${nth}`)
          const one = { ...testBed, random: drawn }
          if (drawn.chance(0.15)) await sendTorn(one)
          else if (await sendMutated(one, drawn.pick(drawn.chance(filmsShare) ? films : pictures))) taken += 1
        }
      })
      await Promise.all(sending)
      report.note(`${taken} of ${report.faults} were taken`)
      report.checked('I12', 1, testBed.service.isUp() ? [] : ['the server has ended'])
      await checkFiles(testBed)
      await checkCounts(testBed)
    },
    // Hostile uploads must not use up the quota of honest ones.
    { env: { PERSON_GB_MAX: '1000000' } },
  )
}

/**
 * Returns whether the upload was accepted; then nothing served of it contains the planted metadata, and everything
 * decodes.
 */
const sendMutated = async (
  { ask, party, random, report }: TestBed,
  { name, type, bytes, field }: Seed,
): Promise<boolean> => {
  const { token } = random.pick(party.writers) as Person
  const mutated = mutate(bytes, random)
  // A mutation that repeats the file's head may put the planted text into its pixels, which nobody has to scan.
  const mayTell = timesPlanted(mutated) > timesPlanted(bytes)
  const files: FilePart[] = [{ field, name, type, bytes: mutated }]
  if (field === 'video') files.push({ field: 'image', name: 'a.jpg', type: 'image/jpeg', bytes: await stillOf(random) })
  const began = performance.now()
  const { status, body } = await insist(ask, 'POST', 'api/gallery/upload', {
    token,
    form: { event_id: party.loud.eventId },
    files,
  })
  report.took('an answer to a hostile file', performance.now() - began)
  const expected = [200, 201, 400].includes(status)
  report.checked(
    'I9',
    1,
    expected ? [] : [`a mutated ${name} was answered with ${status} ${JSON.stringify(body).slice(0, 100)}`],
  )
  if (status !== 200) return false
  for (const url of [body.event_photo_url, body.event_photo_preview_url]) {
    const shown = await ask('GET', atTestBed(url))
    const found: string[] = []
    if (shown.status !== 200) found.push(`a photo of a mutated ${name} is answered with ${shown.status}`)
    else if (!mayTell && shown.bytes.includes(planted))
      found.push(`a photo of a mutated ${name} tells the metadata of what was uploaded`)
    else if (url === body.event_photo_preview_url && (await pixelsOf(shown.bytes)) === undefined)
      found.push(`the preview of a mutated ${name} cannot be decoded`)
    report.checked('I3', 1, found)
  }
  return true
}

const timesPlanted = (bytes: Buffer) => bytes.toString('latin1').split(planted).length - 1

const stillOf = (random: Random) =>
  sharp(random.bytes(16 * 12 * 3), { raw: { width: 16, height: 12, channels: 3 } })
    .jpeg()
    .toBuffer()

/** Sends truncated forms and JSON: each gets an answer below 500. */
const sendTorn = async ({ ask, party, random, report }: TestBed): Promise<void> => {
  const { token } = random.pick(party.writers) as Person
  const part =
    '--b\r\ncontent-disposition: form-data; name="group_chat_id"\r\n\r\n1\r\n--b\r\ncontent-disposition: form-data; name="message_content"\r\n\r\nx\r\n--b--\r\n'
  const isForm = random.chance(0.6)
  const raw = isForm
    ? mutate(Buffer.from(part.repeat(random.whole(1, 3))), random)
    : Buffer.from(random.pick(hostileBodies), 'latin1')
  const type = isForm
    ? random.pick(['multipart/form-data; boundary=b', 'multipart/form-data', 'multipart/form-data; boundary='])
    : 'application/json'
  const path = random.pick(['api/message', 'api/gallery/comment', 'api/event', 'api/account/details/update'])
  const reply: Json = await ask('POST', path, {
    token,
    raw,
    headers: { 'content-type': type },
    timeoutMs: 60_000,
  }).catch((fault: Error) => fault)
  const found =
    reply instanceof Error
      ? [`a torn body to ${path} got no reply: ${reply.message}`]
      : reply.status >= 500
        ? [`a torn body to ${path} was answered with ${reply.status}`]
        : []
  report.checked('I9', 1, found)
}

export const hostileFiles: Part = {
  name: 'hostile-files',
  promise: 'pictures, films, forms and JSON of ours, mutated',
  of: 'files and bodies',
  slice: 500,
  full: 200_000,
  lacks: lacksFilms,
  run: hostile,
}
