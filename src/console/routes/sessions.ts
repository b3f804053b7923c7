/** The page of the sessions that are signed in to the console. */
import { createRoute } from '@tanstack/react-router'
import { MonitorSmartphone } from 'lucide-react'
import { pages } from '../paths/pages.ts'
import { frame } from './frame.tsx'
import { page } from './page.ts'

export const sessionsRoute = createRoute({
  getParentRoute: () => frame,
  path: pages.sessions.url,
  staticData: { title: 'Sessions', nav: { group: 'Console', icon: MonitorSmartphone } },
  ...page('sessions'),
})
