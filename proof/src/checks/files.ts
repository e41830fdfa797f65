import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { settled } from '../instance/processes.ts'
import { pixelsOf } from '../people/pictures.ts'
import type { TestBed } from '../test-bed.ts'

/** I3: every file that a row names is there with that hash and length, and decodes; nothing unfinished is left. */
export const checkFiles = async ({ service, report }: Pick<TestBed, 'service' | 'report'>): Promise<void> => {
  const media = service.mediaDir
  const rows = await service.sql<{ id: number; sha256: string; bytes: number; type: string; cut: boolean }>(`
    select id, original_sha256 as sha256, original_bytes as bytes, original_type as type,
      coalesce((full_size ->> 'incomplete')::boolean, false) as cut
    from media where removed_at is null
    union all
    select m.id, f.value ->> 'sha256', (f.value ->> 'bytes')::bigint, f.value ->> 'type', false
    from media m cross join lateral jsonb_each(m.variants) f where m.removed_at is null`)
  const found: string[] = []
  for (const { id, sha256, bytes, type, cut } of rows) {
    const content = await service.stored(sha256)
    if (!content) found.push(`media ${id} names ${sha256}, and there is no such file`)
    else if (content.length !== bytes)
      found.push(`${sha256} of media ${id} has ${content.length} bytes instead of ${bytes}`)
    else if (createHash('sha256').update(content).digest('hex') !== sha256)
      found.push(`${sha256} of media ${id} holds something else than its name says`)
    else if (/^image\/(jpeg|webp|png)$/.test(type) && !(await pixelsOf(content, { cut })))
      found.push(`${sha256} of media ${id} cannot be decoded`)
  }
  const left = await settled(() => unfinished(media))
  if (left[0]) found.push(`${left.length} temporary files are left: ${left[0]}`)
  report.checked('I3', rows.length, found)
}

/** Lists files only: the directories that a process keeps for itself and their locks do not count. */
const unfinished = (media: string): string[] => {
  const tmp = join(media, 'tmp')
  if (!existsSync(tmp)) return []
  return readdirSync(tmp, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !/lock|pid/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
}
