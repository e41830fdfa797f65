import { type CSSProperties, useCallback, useEffect, useLayoutEffect } from 'react'
import { useSettled } from '../app/idle.ts'
import { openStore, useStore } from '../app/store.ts'
import { chosenTheme, isDrawn, themeHue } from './event-themes.ts'
import { coloursOf } from './hue-colours.ts'

/* The colours of an event's page, drawn from its cover: the hue is the picture's, lightness and strength are ours, so that whatever is read in them keeps its contrast by day and by night. */

/** The hue of each cover that has been seen. */
const hues = openStore<ReadonlyMap<string, number | undefined>>(new Map())

/**
 * The page's colours once its cover is there, for an element that is `covered`, and what is to be told of that. By
 * default also of what lies around that element, such as a sheet above it, as long as it is shown.
 */
export const useCoverColours = (cover: string | undefined, around = true) => {
  const seen = useStore(hues)
  const theme = cover && chosenTheme(cover)
  const hue = theme ? themeHue(theme) : seen.get(cover ?? '')
  useLayoutEffect(() => {
    if (hue === undefined || !around) return
    const { style } = document.documentElement
    const colours = Object.entries(styleOf(hue)).map(([name, colour]) => [name, String(colour)] as const)
    for (const [name, colour] of colours) style.setProperty(name, colour)
    return () => {
      for (const [name] of colours) style.removeProperty(name)
    }
  }, [hue, around])
  const onCover = useCallback(
    async (picture: HTMLImageElement) => {
      const { hueOf } = await import('./cover-hue.ts')
      if (cover) hues.set(new Map([...hues.get(), [cover, hueOf(picture)]]))
    },
    [cover],
  )
  return { style: hue === undefined ? undefined : styleOf(hue), onCover }
}

/** The colours of an event on all of its pages, also on those that do not show its cover. */
export const useEventColours = (cover: string | undefined) => {
  const { onCover } = useCoverColours(cover)
  const settled = useSettled()
  useEffect(() => {
    if (!cover || !settled || hues.get().has(cover) || isDrawn(cover)) return
    const picture = new Image()
    picture.onload = () => onCover(picture)
    picture.src = `${cover}&w=400`
  }, [cover, settled, onCover])
}

const styleOf = (hue: number) =>
  Object.fromEntries(
    Object.entries(coloursOf(hue)).flatMap(([name, [day, night]]) => [
      [`--day-${name}`, day],
      [`--night-${name}`, night],
    ]),
  ) as CSSProperties
