import { Copy } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { copy } from './copy.ts'

type Props = Pick<ComponentProps<typeof Button>, 'look' | 'size' | 'className' | 'children'> & { text: string }

/** Copies a text to share, such as a link. */
export const CopyButton = ({ text, ...button }: Props) => (
  <Button
    look="quiet"
    {...button}
    icon={<Copy className={button.size === 'small' ? 'size-4.5' : 'size-5'} />}
    onClick={() => copy(text)}
  />
)
