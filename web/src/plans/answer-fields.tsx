import type { ReactNode } from 'react'
import { useWords } from '../app/words.ts'
import { fieldError } from '../ui/failure.ts'
import { Field } from '../ui/field.tsx'
import { formMaybe, formText } from '../ui/form.ts'

export const answers = ['going', 'maybe', 'no'] as const
export type Answer = (typeof answers)[number]

export const answerFieldNames = ['event_answer', 'plus_ones', 'plus_names', 'answer_note']

export type Answered = { plus_ones: number; plus_names: string | null; answer_note: string | null }

/** What a form with these fields answers. */
export const answerIn = (form: FormData) => ({
  plus_ones: Number(formText(form, 'plus_ones') || 0),
  plus_names: formMaybe(form, 'plus_names'),
  answer_note: formMaybe(form, 'answer_note'),
})

/** Around the fields that few fill in. */
export const AnswerFold = ({ open, children }: { open?: boolean; children: ReactNode }) => {
  const { t } = useWords()
  return (
    <details open={open}>
      <summary className="inline-flex min-h-11 items-center text-sm font-semibold underline underline-offset-4">
        {t('answer.plusOnes')} · {t('answer.note')}
      </summary>
      {children}
    </details>
  )
}

type Details = { given?: Answered | undefined; most?: number; error: unknown }

/** Whom they bring, and what the organizers should know. */
export const AnswerDetails = ({ given, most = 20, error }: Details) => {
  const { t } = useWords()
  const wrong = (field: string) => fieldError(error, field)
  return (
    <>
      <Field
        name="plus_ones"
        type="number"
        inputMode="numeric"
        min={0}
        max={most}
        label={t('answer.plusOnes')}
        defaultValue={given?.plus_ones || ''}
        error={wrong('plus_ones')}
      />
      <Field
        name="plus_names"
        label={t('answer.plusNames')}
        defaultValue={given?.plus_names ?? ''}
        maxLength={500}
        dir="auto"
        error={wrong('plus_names')}
      />
      <Field
        name="answer_note"
        label={t('answer.note')}
        defaultValue={given?.answer_note ?? ''}
        maxLength={500}
        dir="auto"
        error={wrong('answer_note')}
      />
    </>
  )
}
