import '../app/polyfills.ts'
import '../app/style.css'
import '../app/theme.ts'
import '../app/storage/device-owner.ts'
import './broken-pictures.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { openLanguage } from '../app/language.ts'
import '../app/nonce.ts'
import { queryClient } from '../app/cache/query.ts'
import { Router } from '../app/router/router.tsx'
import { session } from '../app/session.ts'
import { pagesNow, prepare, redirect } from './arrival.ts'
import { Waiting } from './page-placeholder.tsx'
import { missing } from './page-table.ts'
import { Root } from './root.tsx'

/** Missing in unsupported browsers, where a sentence replaced it. */
const place = document.getElementById('app')
const draw = () =>
  place &&
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Router {...{ pages: pagesNow, missing, redirect, prepare }} follow={session.follow} waiting={Waiting}>
          <Root />
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  )

// If this were awaited, every module would depend on one still in progress, and WebKit returns those before they have
// run.
void openLanguage().then(draw)
