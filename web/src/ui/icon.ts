import { createElement, type SVGProps } from 'react'

type Drawn = { node: [tag: string, attributes: Record<string, string>][] }

/**
 * Draws a lucide icon, instead of lucide's own component (vite.config.ts): that one merges classes, names and a context
 * for each icon each time, for features that we do not use, and is 1.5 KB of every first page.
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
