import { useRef } from 'react'

/** An element that fills the screen, whatever browsers say of it: some screens are whole already. */
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
