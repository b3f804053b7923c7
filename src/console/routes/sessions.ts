/** The page of who is signed in to the console. */
import { createRoute } from '@tanstack/react-router'
import { MonitorSmartphone } from 'lucide-react'
import { frame } from './frame.tsx'
import { page } from './page.ts'

export const sessionsRoute = createRoute({
  getParentRoute: () => frame,
  path: '/sessions',
  staticData: { title: 'Sessions', nav: { group: 'Console', icon: MonitorSmartphone } },
  ...page(() => import('../features/sessions/SessionsPage.tsx')),
})
