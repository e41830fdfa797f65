import { useWords } from '../../app/words.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import type { EventLink } from './links-queries.ts'

/** In quotes, as every shell reads it. */
const quoted = (word: string) => `"${word.replaceAll(/["$`\\]/g, '')}"`

/**
 * How a photographer brings the folder that they are in from a computer (docs/uploading.md): the service hands out the
 * command, and the link is all that it needs, and ends it.
 */
export const commandFor = ({ link_url, link_pin }: Pick<EventLink, 'link_url' | 'link_pin'>, name: string) =>
  `curl -O ${link_url.replace(/\/j\/.*/, '')}/afterglow.mjs
node afterglow.mjs upload . --link ${link_url} --name ${quoted(name)}${link_pin ? ` --pin ${link_pin}` : ''}`

export const Command = ({ command }: { command: string }) => {
  const { t } = useWords()
  return (
    <div className="grid grid-cols-1 gap-2 rounded-2xl bg-sunken p-4">
      <p className="text-sm text-pretty">{t('links.command')}</p>
      <code className="text-sm whitespace-pre-line select-all wrap-anywhere" dir="ltr">
        {command}
      </code>
      <CopyButton size="small" className="justify-self-start" text={command}>
        {t('links.copyCommand')}
      </CopyButton>
    </div>
  )
}
