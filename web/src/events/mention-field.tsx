import type { KeyboardEvent, TextareaHTMLAttributes } from 'react'
import { type MentionedIn, MentionList, useMentioning } from './mention-list.tsx'

type Props = MentionedIn &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'> & {
    label: string
    onSend(): void
    /** Undefined while there is nothing to leave. */
    onLeave: (() => void) | undefined
  }

/** What people write in short: `@` names guests, Enter sends, Escape leaves what it answers or edits. */
export const MentionField = ({ eventId, field, text, write, label, onSend, onLeave, className, ...rest }: Props) => {
  const mentioning = useMentioning({ eventId, field, text, write })
  const onKeyDown = (event: KeyboardEvent) => {
    if (mentioning.onKeyDown(event) || event.nativeEvent.isComposing) return
    // A phone's Enter is for the next line.
    if (event.key === 'Enter' && !event.shiftKey && matchMedia('(pointer: fine)').matches) {
      event.preventDefault()
      onSend()
    }
    if (event.key === 'Escape' && onLeave) {
      // Only that, and not what it is in.
      event.stopPropagation()
      onLeave()
    }
  }
  return (
    <>
      <MentionList {...mentioning} />
      <textarea
        {...rest}
        {...mentioning.described}
        ref={field}
        rows={1}
        dir="auto"
        value={text}
        aria-label={label}
        placeholder={label}
        onChange={event => {
          write(event.target.value)
          mentioning.moveTo(event.target.selectionStart)
        }}
        onKeyDown={onKeyDown}
        className={`field-sizing-content min-h-11 flex-1 resize-none rounded-2xl border border-line bg-card px-4 py-2 focus:border-ember focus:outline-none ${className}`}
      />
    </>
  )
}
