import { Printer } from 'lucide-react'
import { useState } from 'react'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceCard, ChoiceCards } from '../../ui/choice-cards.tsx'
import { Choice } from '../../ui/field.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import type { Event } from '../queries.ts'
import { LinkPaper } from './link-paper.tsx'
import type { EventLink } from './links-queries.ts'
import { type Look, looks, type Paper, papersHere } from './papers.ts'

type Props = { link: EventLink; event: Event; onPrint(paper: Paper, look: Look): void; onClose(): void }

/** On which paper and how a link is printed, each way shown as it will be. */
export const PrintDialog = ({ link, event, onPrint, onClose }: Props) => {
  const { t } = useWords()
  const [papers] = useState(papersHere)
  const [paper, setPaper] = useState(papers[0] as Paper)
  const [look, setLook] = useState<Look>('above')
  return (
    <Dialog open onClose={onClose} title={t('links.print')}>
      <div className="grid grid-cols-1 gap-4">
        <LookChoice {...{ link, event, paper, look }} onChoose={setLook} />
        <Choice
          label={t('links.papers')}
          value={paper.id}
          onChange={({ target }) => setPaper(papers.find(({ id }) => id === target.value) ?? paper)}
        >
          {papers.map(({ id, form, size }) => (
            <option key={id} value={id}>
              {t(`links.paper.${form}`, { size })}
            </option>
          ))}
        </Choice>
        <Button
          size="large"
          icon={<Printer className="size-5" aria-hidden="true" />}
          onClick={() => {
            onClose()
            onPrint(paper, look)
          }}
        >
          {t('links.print')}
        </Button>
      </div>
    </Dialog>
  )
}

type LookProps = Pick<Props, 'link' | 'event'> & { paper: Paper; look: Look; onChoose(look: Look): void }

const LookChoice = ({ link, event, paper, look, onChoose }: LookProps) => {
  const { t } = useWords()
  return (
    <ChoiceCards legend={t('links.looks')} hideLegend className="grid grid-cols-3">
      {looks.map(each => (
        <ChoiceCard
          key={each}
          name="look"
          title={t(`links.look.${each}`)}
          picture={
            <span
              aria-hidden="true"
              className="block w-full overflow-hidden rounded-xl shadow-card"
              style={{ aspectRatio: `${paper.width} / ${paper.height}` }}
            >
              <LinkPaper {...{ link, event, paper }} look={each} />
            </span>
          }
          checked={each === look}
          onChange={() => onChoose(each)}
        />
      ))}
    </ChoiceCards>
  )
}
