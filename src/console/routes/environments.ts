/** The pages about all connections, and about what changes on them. */
import { createRoute } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { connection } from './frame.tsx'
import { below, page } from './page.ts'

export const historyRoute = createRoute({
  getParentRoute: () => connection,
  path: below('history', 'connectionHome'),
  staticData: { title: 'History', nav: { group: 'Environments', icon: History, key: 'h' } },
  ...page('history'),
})
