/** The pages of the sessions that are signed in to the console, and of what was done in them. */
import { createRoute } from '@tanstack/react-router'
import { FileClock, MonitorSmartphone } from 'lucide-react'
import { pages } from '../paths/pages.ts'
import { frame } from './frame.tsx'
import { page } from './page.ts'

export const sessionsRoute = createRoute({
  getParentRoute: () => frame,
  path: pages.sessions.url,
  staticData: { title: 'Sessions', nav: { group: 'This console', icon: MonitorSmartphone } },
  ...page('sessions'),
})

export const auditRoute = createRoute({
  getParentRoute: () => frame,
  path: pages.audit.url,
  staticData: { title: 'Audit', nav: { group: 'This console', section: 'Audit', tab: 'Console', icon: FileClock } },
  ...page('audit'),
})
