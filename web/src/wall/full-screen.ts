import { useRef } from 'react'

/** An element in full screen, whatever browsers report: some screens are full already. */
export const useFullScreen = () => {
  const screen = useRef<HTMLDivElement>(null)
  const fill = () => {
    if (document.fullscreenEnabled && !document.fullscreenElement)
      void screen.current?.requestFullscreen().catch(() => {})
  }
  const fillOrEnd = () => {
    if (document.fullscreenElement) void document.exitFullscreen()
    else fill()
  }
  return { screen, fill, fillOrEnd }
}
