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
