import type { ReactNode } from 'react'

/** Google only permits its logo in these four colours. */
const google = (
  <g fill="none" strokeWidth={4}>
    <path stroke="#ea4335" d="M17.6 6.2A8 8 0 0 0 5 8.3" />
    <path stroke="#fbbc05" d="M5.1 8a8 8 0 0 0 0 8" />
    <path stroke="#34a853" d="M5 15.7a8 8 0 0 0 12.3 2.3" />
    <path stroke="#4285f4" d="M17 18.2a8 8 0 0 0 3-6.2h-8" />
  </g>
)
const apple = (
  <path d="M12.2 6.7c1.2-.3 2.4-1.2 4.1-1.2 1.7 0 3.2.7 4.2 2-1.6.9-2.6 2.3-2.6 4.2 0 2.1 1.2 3.8 3.2 4.6-.7 2.3-2.7 5.7-4.9 5.7-1.5 0-2-.9-3.8-.9s-2.4.9-3.8.9C6 22 3 17 3 12.6 3 8.7 5.3 5.6 8.4 5.6c1.5 0 2.7 1 3.8 1.1Zm-.2-1.5c-.1-2.5 1.8-4.6 4.2-4.9.2 2.6-1.8 4.9-4.2 4.9Z" />
)
const facebook = (
  <path d="M22 12a10 10 0 1 0-11.6 9.9v-7H7.9V12h2.5V9.8c0-2.5 1.5-3.9 3.8-3.9 1.1 0 2.2.2 2.2.2v2.5h-1.3c-1.2 0-1.6.8-1.6 1.5V12h2.8l-.4 2.9h-2.4v7A10 10 0 0 0 22 12Z" />
)
const marks: Partial<Record<number, ReactNode>> = { 2: google, 3: apple, 4: facebook }

/** The logos of well-known providers. */
export const ProviderMark = ({ type }: { type: number }) =>
  marks[type] && (
    <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true" className="size-5 shrink-0">
      {marks[type]}
    </svg>
  )
