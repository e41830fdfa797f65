import { createElement, type SVGProps } from 'react'

type Drawn = { node: [tag: string, attributes: Record<string, string>][] }

/**
 * Draws an icon of lucide, in the place of lucide's own maker (vite.config.ts): that one merges classes, names and a
 * context for each icon each time, for wishes that we do not have, and is 1.5 KB of every first page.
 */
export default ({ node }: Drawn) =>
  ({ strokeWidth = 2, ...rest }: SVGProps<SVGSVGElement>) =>
    createElement(
      'svg',
      {
        width: 24,
        height: 24,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        'aria-hidden': !rest['aria-label'],
        ...(rest['aria-label'] && { role: 'img' }),
        ...rest,
      },
      ...node.map(([tag, attributes]) => createElement(tag, attributes)),
    )
