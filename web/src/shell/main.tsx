import '../app/style.css'
import '../app/theme.ts'
import './broken-pictures.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { openLanguage } from '../app/language.ts'
import '../app/nonce.ts'
import { queryClient } from '../app/query.ts'
import { router } from './router.tsx'

// A page of an earlier build requests files that are gone: the address is opened again with the new ones, once.
window.addEventListener('vite:preloadError', () => {
  const last = Number(sessionStorage.getItem('afterglow.reloaded') ?? 0)
  // Without a network there would be no page at all.
  if (!navigator.onLine || Date.now() - last < 10_000) return
  // What asked for the file is told that it failed: with nothing in its hands it would show a broken page until then.
  sessionStorage.setItem('afterglow.reloaded', String(Date.now()))
  location.reload()
})

const draw = () =>
  createRoot(document.getElementById('app') as HTMLElement).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )

// If this were awaited, every module would depend on one still in progress, and WebKit returns those before they have
// run.
void openLanguage().then(draw)
