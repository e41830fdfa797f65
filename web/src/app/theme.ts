import { ours } from './public-path.ts'
import './storage/storage.ts'
import { openStore } from './store.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const place = `${ours}.theme`
const known = (text: string | null): Theme => themes.find(theme => theme === text) ?? 'system'

export const theme = openStore<Theme>(known(localStorage.getItem(place)))

const wear = (chosen: Theme) => {
  if (chosen === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
}
wear(theme.get())
theme.follow(chosen => {
  localStorage.setItem(place, chosen)
  wear(chosen)
})
